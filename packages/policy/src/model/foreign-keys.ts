/** Keys that people write instead of a policy's keys, in lowercase. */
const ROWS: readonly (readonly [words: string, key: string])[] = [
  ['expression expr condition conditions when if match matches filter filters where', 'expressions'],
  ['action then do', 'actions'],
  ['title label', 'name'],
  ['action kind use uses', 'type'],
  ['configuration parameters params options with args settings spec', 'config'],
];

/** Returns the known key that a word is another name for. */
export function intendedKey(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  return ROWS.find(([words, key]) => known.includes(key) && words.split(' ').includes(lower))?.[1];
}

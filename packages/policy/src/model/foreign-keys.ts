/** Keys that people write for those of a policy, by what they mean, in lower case. */
const ROWS: readonly (readonly [words: string, key: string])[] = [
  ['expression expr condition conditions when if match matches filter filters where', 'expressions'],
  ['action then do', 'actions'],
  ['title label', 'name'],
  ['action kind use uses', 'type'],
  ['configuration parameters params options with args settings spec', 'config'],
];

/** The key among the known ones that a word stands for elsewhere. */
export function meantKey(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  return ROWS.find(([words, key]) => known.includes(key) && words.split(' ').includes(lower))?.[1];
}

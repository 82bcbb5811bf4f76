/** Tells whether an action that changes values at these paths, or at any for undefined, changes what is read. */
export type ChangeFinder = (changes: readonly string[] | undefined, reads: () => readonly string[]) => boolean;

/** Remembers answers: the rules of a phase ask the same many times over. */
export function changeFinder(): ChangeFinder {
  const known = new Map<readonly string[], Map<string, boolean>>();
  const isChanged = (changes: readonly string[], read: string): boolean => {
    const answers = known.get(changes) ?? new Map<string, boolean>();
    known.set(changes, answers);
    const answer = answers.get(read) ?? changes.some(path => overlap(read, path));
    answers.set(read, answer);
    return answer;
  };
  return (changes, reads) => {
    if (changes === undefined) return reads().length > 0;
    return changes.length > 0 && reads().some(read => isChanged(changes, read));
  };
}

/** Whether one path leads into what the other one leads to. */
function overlap(a: string, b: string): boolean {
  return `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);
}

/** What RE2 allows one repetition, and repetitions in each other. */
const MOST_REPEATS = 1000;

const COUNTS = /\{(\d+)(?:,(\d*))?\}/g;

/**
 * A bound of how large a regular expression becomes with its counted repetitions written out, which is what compiling it and each
 * step of matching may cost. Cheap, since the pattern may be a client's: its length times all counts in it, as if they stood in each other.
 */
export function patternSize(pattern: string): number {
  if (!pattern.includes('{')) return pattern.length;
  let repeats = 1;
  for (const [, least = '1', most] of pattern.matchAll(COUNTS)) {
    repeats = Math.min(MOST_REPEATS, repeats * Math.max(1, Number(most || least)));
  }
  return pattern.length * repeats;
}

/** Whether the size is beyond a limit; looks no further into a pattern whose length is. */
export function isPatternTooLarge(pattern: string, limit: number): boolean {
  return pattern.length > limit || patternSize(pattern) > limit;
}

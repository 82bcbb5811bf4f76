/** RE2's limit on a repetition count, and on the product of nested counts. */
const MAX_REPEATS = 1000;

/** Counts, and escapes that look as if they had one: `\x{66}` is one character. */
const COUNTS = /\\x?.|\{(\d+)(?:,(\d*))?\}/g;

/**
 * Returns an upper bound on the size of a regular expression with its counted repetitions expanded, which bounds the cost of compiling it
 * and of each step of matching. It must be cheap because a client may supply the pattern, so it is the length times all counts, as if they
 * were nested.
 */
export function patternSize(pattern: string): number {
  if (!pattern.includes('{')) return pattern.length;
  let repeats = 1;
  for (const [, least = '1', most] of pattern.matchAll(COUNTS)) {
    repeats = Math.min(MAX_REPEATS, repeats * Math.max(1, Number(most || least)));
  }
  return pattern.length * repeats;
}

/** Returns true if the size exceeds a limit; does not scan a pattern whose length already does. */
export function isPatternTooLarge(pattern: string, limit: number): boolean {
  return pattern.length > limit || patternSize(pattern) > limit;
}

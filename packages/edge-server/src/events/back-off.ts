const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 3_600_000;

/**
 * How long to wait after the given number of failures, in milliseconds: twice as long each time, at most an hour, and up to a
 * quarter less by chance, so that what failed together does not come back together.
 */
export function backOff(failures: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY);
  return Math.round(delay * (1 - random() / 4));
}

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 3_600_000;

/**
 * Returns the delay in milliseconds after the given number of failures: it doubles each time, up to an hour, minus up to a random quarter,
 * so that deliveries that failed together are not retried together.
 */
export function backOff(failures: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY);
  return Math.round(delay * (1 - random() / 4));
}

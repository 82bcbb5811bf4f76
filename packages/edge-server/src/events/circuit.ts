import { backOff } from './back-off.ts';

/** After this many failures in a row, a destination is considered down. */
const FAILURES = 5;
const LONGEST_PAUSE = 60_000;

/**
 * The circuit of a destination. While it is down, one delivery at a time is attempted, after pauses that double each time, so that the
 * waiting events do not use up their attempts.
 */
export interface Circuit {
  readonly failures: number;
  /** No attempt before this time, in milliseconds since 1970. */
  readonly pausedUntil: number;
}

/** The circuit of a destination that works. */
export const WORKING: Circuit = { failures: 0, pausedUntil: 0 };

/** Returns the circuit after a failure. */
export function afterFailure({ failures }: Circuit, now: number): Circuit {
  const count = failures + 1;
  const pause = count < FAILURES ? 0 : Math.min(backOff(count - FAILURES + 1), LONGEST_PAUSE);
  return { failures: count, pausedUntil: now + pause };
}

/** Returns true if a destination is down. */
export function isDown({ failures }: Circuit): boolean {
  return failures >= FAILURES;
}

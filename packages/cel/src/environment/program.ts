import type { NonValue, Value } from '../values/value.ts';

/**
 * Values by variable name: host data, which is read in place and checked as it is read. Besides values, `Date`s stand for timestamps,
 * and an `Unknown` for what is not known. A variable that is `undefined` is an evaluation error when read.
 */
export type Activation = Readonly<Record<string, unknown>>;

/** The executable result of compiling. Holds no state between runs: the same activation gives the same result. */
export interface Program {
  /** Gives the value, tagged, or an error or an unknown. Throws only what getters, proxies and functions of the host throw. */
  readonly evaluate: (activation: Activation) => Value | NonValue;
}

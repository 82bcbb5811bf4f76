import type { NonValue, Value } from '../values/value.ts';

/**
 * Values by variable name: host data, which is read in place and checked as it is read. A `Date` is a timestamp, and an `Unknown` is a
 * value that is not known. Reading a variable that is `undefined` is an evaluation error.
 */
export type Activation = Readonly<Record<string, unknown>>;

/** The executable result of compilation. Stateless: the same activation always has the same result. */
export interface Program {
  /** Returns the tagged value, an error or an unknown. Throws only what getters, proxies and functions of the host throw. */
  readonly evaluate: (activation: Activation) => Value | NonValue;
}

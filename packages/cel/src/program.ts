import type { HostObject, NonValue, Value } from './runtime/value.ts';

/** Values by variable name; a host object that is read in place. A variable that is `undefined` is an evaluation error when read. */
export type Activation = HostObject;

/** The executable result of compiling. Holds no state between runs: the same activation gives the same result. */
export interface Program {
  /** Gives the value, tagged, or an error or an unknown. Never throws. */
  readonly evaluate: (activation: Activation) => Value | NonValue;
}

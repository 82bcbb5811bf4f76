import type { Value } from './value.ts';

/** `!_`. */
export function not(value: boolean): boolean {
  return !value;
}

/** For `dyn`, and for conversions to the type that a value already has. */
export function identity(value: Value): Value {
  return value;
}

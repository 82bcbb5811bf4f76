import type { Value } from './value.ts';

/** `!_`. */
export function not(value: boolean): boolean {
  return !value;
}

/** Of conversions to the type that a value already has, and of `dyn`. */
export function identity(value: Value): Value {
  return value;
}

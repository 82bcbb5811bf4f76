import { NESTED_TOO_DEEPLY, OUT_OF_STEPS } from '../../values/errors.ts';
import { kindOf } from '../../values/runtime-type.ts';
import { NonValue, Optional, Unknown, UnknownPresence, type Value, wholeOf } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf } from './map.ts';

/**
 * Returns the unknown for a partial map or object of the host whose whole value is needed; undefined if it is complete. Does not inspect
 * its values.
 */
export function unknownWhole(value: unknown): Unknown | undefined {
  const whole = wholeOf(value);
  return whole === undefined ? undefined : new Unknown([whole]);
}

/** Like {@link unknownWhole}, for the range of a loop: also unknown if the presence of a key is. */
export function unknownKeys(map: MapValue): Unknown | undefined {
  const whole = unknownWhole(map);
  if (whole !== undefined) return whole;
  for (const value of map instanceof Map ? map.values() : Object.values(map)) {
    if (value instanceof UnknownPresence) return value;
  }
  return undefined;
}

/**
 * Returns the first error or unknown inside a value, partial maps included; undefined if there is none. It is the result of whatever needs
 * the whole value: equality, a function, the evaluation itself. A value that is nested too deeply, or cyclic, is an error, so that later
 * code may recurse. Each element costs a step, because lists that contain the same list many times are large.
 */
export function nonValueIn(context: RunContext, value: unknown, depth = 0): NonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof NonValue) return value;
  if (depth > MAX_VALUE_DEPTH) return NESTED_TOO_DEEPLY;
  if (Array.isArray(value)) return firstNonValue(context, value, depth + 1);
  if (value instanceof Optional) return nonValueIn(context, value.value, depth + 1);
  if (kindOf(value as Value) !== 'map') return undefined;
  return unknownWhole(value) ?? nonValueInMap(context, value as MapValue, depth + 1);
}

/** Nesting of lists and maps. Far beyond practical use, and far below what the stack allows. */
const MAX_VALUE_DEPTH = 500;

function firstNonValue(context: RunContext, elements: readonly unknown[], depth: number): NonValue | undefined {
  context.left -= elements.length;
  if (context.left < 0) return OUT_OF_STEPS;
  for (const element of elements) {
    const found = nonValueIn(context, element, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nonValueInMap(context: RunContext, map: MapValue, depth: number): NonValue | undefined {
  const keys = keysOf(map);
  context.left -= keys.length;
  if (context.left < 0) return OUT_OF_STEPS;
  for (const key of keys) {
    const found = nonValueIn(context, lookUp(map, mapKeyOf(key)!), depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

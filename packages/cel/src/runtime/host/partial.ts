import { NESTED_TOO_DEEPLY, OUT_OF_STEPS } from '../../values/errors.ts';
import { kindOf } from '../../values/runtime-type.ts';
import { NonValue, Optional, Unknown, UnknownPresence, type Value, wholeOf } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf } from './map.ts';

/** What a partial map or object of the host is where all of it is needed; undefined when it is whole. Does not look into it. */
export function unknownWhole(value: unknown): Unknown | undefined {
  const whole = wholeOf(value);
  return whole === undefined ? undefined : new Unknown([whole]);
}

/** As {@link unknownWhole}, of a map that is gone through: unknown as well when it is so whether one of the keys is there. */
export function unknownKeys(map: MapValue): Unknown | undefined {
  const whole = unknownWhole(map);
  if (whole !== undefined) return whole;
  for (const value of map instanceof Map ? map.values() : Object.values(map)) {
    if (value instanceof UnknownPresence) return value;
  }
  return undefined;
}

/**
 * The first error or unknown inside a value, partial maps counted; undefined when there is none. What takes the whole of a
 * value (equality, a function, being the result) has that for its result. A value that is nested too deeply, or without
 * end, is an error, so that whatever then walks over it may recurse. Each element takes a step: lists that hold the same list again and
 * again have many.
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

/** Of lists and maps in each other. Far beyond what is meant, far below what the stack bears. */
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

import { keysOf, lookUp, type MapValue, mapKeyOf } from './map.ts';
import { kindOf } from './runtime-type.ts';
import { NonValue, Optional, REST_UNKNOWN, Unknown, type Value } from './value.ts';

/** What a partial map or object of the host is where all of it is needed; undefined when it is whole. Does not look into it. */
export function unknownWhole(value: unknown): Unknown | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const whole = (value as { readonly [REST_UNKNOWN]?: string })[REST_UNKNOWN];
  return whole === undefined ? undefined : new Unknown([whole]);
}

/**
 * The first error or unknown inside a value, partial maps counted; undefined when there is none. What takes the whole of a
 * value (equality, a function, being the result) has that for its result. Linear in the size of the value.
 */
export function nonValueIn(value: unknown): NonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof NonValue) return value;
  if (Array.isArray(value)) return firstNonValue(value);
  if (value instanceof Optional) return nonValueIn(value.value);
  return kindOf(value as Value) === 'map' ? (unknownWhole(value) ?? nonValueInMap(value as MapValue)) : undefined;
}

function firstNonValue(elements: readonly unknown[]): NonValue | undefined {
  for (const element of elements) {
    const found = nonValueIn(element);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nonValueInMap(map: MapValue): NonValue | undefined {
  for (const key of keysOf(map)) {
    const found = nonValueIn(lookUp(map, mapKeyOf(key)!));
    if (found !== undefined) return found;
  }
  return undefined;
}

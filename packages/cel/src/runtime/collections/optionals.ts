import { HOST_TYPE } from '../../values/errors.ts';
import { NO_VALUE } from '../../values/extension-errors.ts';
import { kindOf } from '../../values/runtime-type.ts';
import { type Duration, NonValue, Optional, type Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { optionalMember } from '../host/access.ts';
import { fromHost } from '../host/from-host.ts';
import { type MapValue, sizeOfMap } from '../host/map.ts';
import { equals, numberIn } from './equality.ts';

export function optionalOf(value: Value): Optional {
  return new Optional(value);
}

export function noOptional(): Optional {
  return new Optional(undefined);
}

export function optionalOfNonZero(value: Value): Optional {
  return new Optional(isZero(value) ? undefined : value);
}

/**
 * Returns true for the default of a type: null, false, zero, and what is empty. An optional is never one, as in the reference
 * implementation.
 */
function isZero(value: Value): boolean {
  switch (kindOf(value)) {
    case 'int':
    case 'uint':
    case 'double':
      return Number(numberIn(value)) === 0;
    case 'null':
    case 'bool':
      return !value;
    case 'string':
    case 'bytes':
    case 'list':
      return (value as string | Uint8Array | readonly Value[]).length === 0;
    case 'map':
      return sizeOfMap(value as MapValue) === 0;
    case 'duration':
      return (value as Duration).seconds === 0 && (value as Duration).nanos === 0;
    default:
      return false;
  }
}

export function hasValue(optional: Optional): boolean {
  return optional.value !== undefined;
}

/** Returns true if the optional holds a value equal to the other value. */
export function hasEqualValue(context: RunContext, optional: Optional, value: Value): boolean | NonValue {
  return optional.value !== undefined && equals(context, optional.value, value);
}

export function valueInOptional(optional: Optional): Value | NonValue {
  return optional.value === undefined ? NO_VALUE : optional.value;
}

// For arguments that are already evaluated; evaluators evaluate the second one only if needed.

export function optionalOr(optional: Optional, other: Optional): Optional {
  return optional.value === undefined ? other : optional;
}

export function optionalOrValue(optional: Optional, other: Value): Value {
  return optional.value === undefined ? other : optional.value;
}

/** Returns the values of the optionals in a list that hold one. */
export function unwrapOptionals(list: readonly Value[]): readonly Value[] | NonValue {
  const values: Value[] = [];
  for (const element of list) {
    // An element that is not an optional is host data.
    const value = element instanceof Optional ? element.value : HOST_TYPE;
    if (value instanceof NonValue) return value;
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** `a.?b` and `a[?b]`, and `a[b]` of an optional. */
export function optionalAt(container: Value, key: Value): Optional | NonValue {
  return optionalMember(container, key, fromHost);
}

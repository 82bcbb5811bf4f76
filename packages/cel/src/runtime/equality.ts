import { compareTimes, sameNumber } from './comparison.ts';
import { fromHost } from './from-host.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf, sizeOfMap } from './map.ts';
import { kindOf } from './runtime-type.ts';
import {
  CelDouble,
  CelUint,
  type CidrRange,
  type IpAddress,
  type MapKey,
  NonValue,
  type Optional,
  type Timestamp,
  type TypeValue,
  type Value,
} from './value.ts';

/**
 * `_==_` of tagged values. Numbers are equal by their mathematical value whatever their types, NaN equals nothing, values
 * of other differing types are unequal. Elements that are errors or unknown equal nothing.
 */
export function equals(a: Value, b: Value): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  const x = numberIn(a);
  const y = numberIn(b);
  if (x !== undefined || y !== undefined) return x !== undefined && y !== undefined && sameNumber(x, y);
  return typeof b === 'object' && b !== null && sameObject(a, b);
}

/** `_!=_`. */
export function notEquals(a: Value, b: Value): boolean {
  return !equals(a, b);
}

/** The number in a tagged value of a numeric type; undefined for all others. */
export function numberIn(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof CelDouble || value instanceof CelUint ? value.value : undefined;
}

function sameObject(a: Value, b: Value): boolean {
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  switch (kind) {
    case 'list':
      return sameList(a as readonly Value[], b as readonly Value[]);
    case 'map':
      return sameMap(a as MapValue, b as MapValue);
    case 'bytes':
      return sameBytes(a as Uint8Array, b as Uint8Array);
    case 'timestamp':
    case 'duration':
      return compareTimes(a as Timestamp, b as Timestamp) === 0;
    case 'type':
      return (a as TypeValue).name === (b as TypeValue).name;
    case 'optional':
      return sameOptional(a as Optional, b as Optional);
    case 'ip':
      return sameBytes((a as IpAddress).bytes, (b as IpAddress).bytes);
    default:
      return kind === 'cidr' && sameRange(a as CidrRange, b as CidrRange);
  }
}

/** As {@link equals}, for what stands inside lists and maps, where the host's values are read in place. */
function sameElement(a: unknown, b: unknown): boolean {
  const x = fromHost(a);
  const y = fromHost(b);
  return !(x instanceof NonValue) && !(y instanceof NonValue) && equals(x, y);
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((element, index) => sameElement(element, b[index]));
}

function sameMap(a: MapValue, b: MapValue): boolean {
  const keys = keysOf(a);
  return keys.length === sizeOfMap(b) && keys.every(key => sameEntry(a, b, mapKeyOf(key)!));
}

/** An undefined one is missing; `sameElement` has it equal nothing. */
function sameEntry(a: MapValue, b: MapValue, key: MapKey): boolean {
  return sameElement(lookUp(a, key), lookUp(b, key));
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function sameOptional(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value);
}

function sameRange(a: CidrRange, b: CidrRange): boolean {
  return a.prefixLength === b.prefixLength && sameBytes(a.ip.bytes, b.ip.bytes);
}

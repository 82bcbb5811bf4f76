import type { Integer } from '../../ast/ast.ts';
import type { Type } from '../../types/type.ts';
import { HOST_TYPE } from '../../values/errors.ts';
import { toInt64, toUint64 } from '../../values/integer.ts';
import { kindOf, runtimeTypeOf } from '../../values/runtime-type.ts';
import { timestampOfDate } from '../../values/timestamp.ts';
import { CelDouble, CelUint, Duration, NonValue, Timestamp, type Value } from '../../values/value.ts';
import { fromHost } from './from-host.ts';

/** Reads host data, or an element of a list or map, as a value of a known type. Errors and unknowns pass through. */
export type HostReader = (value: unknown) => Value | NonValue;

/**
 * Returns a reader for values of a static type. It returns the typed representation or `eval/host-type`. Lists, maps and objects are not
 * inspected; their parts are checked when they are read.
 */
export function hostReader(type: Type): HostReader {
  switch (type.kind) {
    case 'int':
      return readInt;
    case 'uint':
      return readUint;
    case 'double':
      return readDouble;
    case 'string':
      return readString;
    case 'bool':
      return readBool;
    case 'null':
      return readNull;
    case 'timestamp':
      return readTimestamp;
    case 'duration':
      return readDuration;
    case 'list':
      return readList;
    case 'map':
      return readMap;
    case 'object':
      return readObject;
    case 'dyn':
    case 'error':
    case 'param':
      return fromHost;
    case 'wrapper':
      return wrapperReader(hostReader(type.of), type.of.kind);
    case 'opaque':
      return opaqueReader(type.name);
    case 'bytes':
    case 'type':
    case 'optional':
      return kindReader(type.kind);
  }
}

export function readInt(value: unknown): Integer | NonValue {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
  return typeof value === 'bigint' ? inRange(toInt64(value)) : rejected(value);
}

export function readUint(value: unknown): Integer | NonValue {
  if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) return value + 0;
  if (value instanceof CelUint) return value.value;
  return typeof value === 'bigint' ? inRange(toUint64(value)) : rejected(value);
}

export function readDouble(value: unknown): number | NonValue {
  if (typeof value === 'number') return value;
  return value instanceof CelDouble ? value.value : rejected(value);
}

export function readString(value: unknown): string | NonValue {
  return typeof value === 'string' ? value : rejected(value);
}

export function readBool(value: unknown): boolean | NonValue {
  return typeof value === 'boolean' ? value : rejected(value);
}

export function readNull(value: unknown): null | NonValue {
  return value === null ? value : rejected(value);
}

export function readTimestamp(value: unknown): Timestamp | NonValue {
  if (value instanceof Timestamp) return value;
  return value instanceof Date ? timestampOfDate(value) : rejected(value);
}

export function readDuration(value: unknown): Duration | NonValue {
  return value instanceof Duration ? value : rejected(value);
}

export function readList(value: unknown): readonly Value[] | NonValue {
  return Array.isArray(value) ? value : rejected(value);
}

export function readMap(value: unknown): Value | NonValue {
  const read = fromHost(value);
  return !(read instanceof NonValue) && kindOf(read) === 'map' ? read : rejected(value);
}

/** Fields of an object type are properties, so a `Map` is not a value of one. */
export function readObject(value: unknown): Value | NonValue {
  return value instanceof Map ? HOST_TYPE : readMap(value);
}

function kindReader(kind: 'bytes' | 'type' | 'optional'): HostReader {
  return value => {
    const read = fromHost(value);
    return read instanceof NonValue || kindOf(read) === kind ? read : HOST_TYPE;
  };
}

function opaqueReader(typeName: string): HostReader {
  return value => {
    const read = fromHost(value);
    return read instanceof NonValue || runtimeTypeOf(read).name === typeName ? read : HOST_TYPE;
  };
}

/** Returns null, or the scalar; both tagged, since the static type does not determine which. */
function wrapperReader(read: HostReader, kind: Type['kind']): HostReader {
  return value => {
    if (value === null) return null;
    const scalar = read(value);
    if (kind === 'uint' && (typeof scalar === 'number' || typeof scalar === 'bigint')) return new CelUint(scalar);
    return kind === 'double' && typeof scalar === 'number' ? boxDouble(scalar) : scalar;
  };
}

/** Tags a double. */
export function boxDouble(value: number): Value {
  return Number.isInteger(value) ? new CelDouble(value) : value;
}

/** Tags a uint. */
export function boxUint(value: Integer): Value {
  return new CelUint(value);
}

function inRange(integer: Integer | NonValue): Integer | NonValue {
  return integer instanceof NonValue ? HOST_TYPE : integer;
}

function rejected(value: unknown): NonValue {
  return value instanceof NonValue ? value : HOST_TYPE;
}

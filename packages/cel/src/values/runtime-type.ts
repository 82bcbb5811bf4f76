import type { Type } from '../types/type.ts';
import {
  CelDouble,
  CelUint,
  CidrRange,
  Duration,
  IpAddress,
  Optional,
  Timestamp,
  TypeValue,
  type Value,
} from './value.ts';

/** The kinds of values that an evaluation distinguishes. A host object is a map. */
export type RuntimeKind = keyof typeof TYPE_VALUES;

const TYPE_VALUES = /* @__PURE__ */ typeValues({
  null: 'null_type',
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bytes: 'bytes',
  list: 'list',
  map: 'map',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  type: 'type',
  optional: 'optional_type',
  ip: 'net.IP',
  cidr: 'net.CIDR',
});

function typeValues<Kind extends string>(names: Readonly<Record<Kind, string>>): Readonly<Record<Kind, TypeValue>> {
  const values = {} as Record<Kind, TypeValue>;
  for (const kind in names) values[kind] = new TypeValue(names[kind]);
  return values;
}

/** Returns the kind of a tagged value. An integral number that is not safe can only be a double of the host. */
export function kindOf(value: Value): RuntimeKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'double';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    default:
      return value === null ? 'null' : objectKind(value);
  }
}

function objectKind(value: object): RuntimeKind {
  if (Array.isArray(value)) return 'list';
  if (value instanceof CelDouble) return 'double';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  if (value instanceof Optional) return 'optional';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof IpAddress) return 'ip';
  return value instanceof CidrRange ? 'cidr' : 'map';
}

/** Returns the type of a tagged value, as `type()` does. */
export function runtimeTypeOf(value: Value): TypeValue {
  return TYPE_VALUES[kindOf(value)];
}

/** Returns the value that a type name such as `int` or `net.IP` denotes. */
export function typeValueOf(type: Type): TypeValue {
  switch (type.kind) {
    case 'object':
    case 'opaque':
      return new TypeValue(type.name);
    case 'param':
      return new TypeValue(type.name);
    case 'wrapper':
      return typeValueOf(type.of);
    case 'dyn':
    case 'error':
      return new TypeValue(type.kind);
    default:
      return TYPE_VALUES[type.kind];
  }
}

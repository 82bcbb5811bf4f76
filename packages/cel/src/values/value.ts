// The values of an evaluation, errors and unknowns included, and their types.

import type { Integer } from '../ast/ast.ts';
import type { Type } from '../ast/types.ts';

/**
 * A value during evaluation. There are two representations, and it is always known which one is meant:
 *
 * - *typed*: the checker determined the static type. int and uint are {@link Integer}s, double is a number.
 * - *tagged*: where the static type is dyn, a type parameter or a wrapper, and inside lists and maps that an evaluation creates. An
 *   integral number or a bigint is an int; a number with a fraction, NaN and the infinities are doubles; an integral double is a {@link
 *   CelDouble}; a uint is a {@link CelUint}.
 *
 * All other types look the same in both. Lists are arrays; maps are {@link CelMap}s, plain host objects or host Maps; objects are plain
 * host objects. Elements of a typed list or map may be in either form, because host data is read in place: reading one as a double or uint
 * unboxes it.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CelUint
  | CelDouble
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | IpAddress
  | CidrRange
  | readonly Value[]
  | HostMap
  | HostObject;

/** A map created by an evaluation or by the host. For keys, see {@link CelMap}. */
export type HostMap = ReadonlyMap<MapKey, Value>;

/** A plain object of the host: an object type's value, or a map with string keys. Only own properties count. */
export interface HostObject {
  readonly [field: string]: Value | undefined;
}

/** A key of a map. An int and a uint that are equal are the same key. */
export type MapKey = boolean | string | Integer;

/** A uint where the static type does not determine that. */
export class CelUint {
  readonly value: Integer;

  constructor(value: Integer) {
    this.value = value;
  }
}

/** An integral double where the static type does not determine that. */
export class CelDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A map created by an evaluation. Equal numbers are the same key; `uintKeys` records those that were uints. */
export class CelMap extends Map<MapKey, Value> {
  uintKeys: Set<MapKey> | undefined = undefined;
}

/** A point in time: whole seconds since 1970-01-01T00:00:00Z and 0 to 999,999,999 nanoseconds after that. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;

  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

/** A duration: whole seconds and nanoseconds, both with the same sign. */
export class Duration {
  readonly seconds: number;
  readonly nanos: number;

  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

/** A type as a value, identified by its name in the specification: `int`, `list`, `google.protobuf.Timestamp`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may be missing. */
export class Optional {
  /** Tagged; undefined if empty. */
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** An address of the network library: 4 or 16 bytes. */
export class IpAddress {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** An address with a prefix length; host bits as written. */
export class CidrRange {
  readonly ip: IpAddress;
  readonly prefixLength: number;

  constructor(ip: IpAddress, prefixLength: number) {
    this.ip = ip;
    this.prefixLength = prefixLength;
  }
}

/** What an evaluation returns instead of a value: an error or an unknown. Test with `instanceof`. */
export abstract class NonValue {}

/** A failed evaluation: a value, never thrown. It has no stack trace, and errors without arguments are created once. */
export class EvaluationError extends NonValue {
  /** `eval/kebab-case`, such as `eval/no-such-key`. */
  readonly code: string;
  /** Lower case, no final period. */
  readonly message: string;
  /** The id of the expression that failed; 0 until the evaluator sets it. */
  readonly exprId: number;

  constructor(code: string, message: string, exprId = 0) {
    super();
    this.code = code;
    this.message = message;
    this.exprId = exprId;
  }
}

/** A value that is not known because these inputs are not. */
export class Unknown extends NonValue {
  /** The missing inputs as written in source, such as `req.Headers["X-Key"]`; sorted and distinct. */
  readonly attributes: readonly string[];

  constructor(attributes: readonly string[]) {
    super();
    this.attributes = attributes;
  }
}

/** As the value of a map's key or an object's field: even its presence is unknown. With any other unknown, the key is present. */
export class UnknownPresence extends Unknown {}

const WHOLE = Symbol('whole');

/**
 * A map or object of the host that was recorded in part: keys it does not contain are unknown rather than absent. Created by {@link
 * partialMap}. A class of its own, so that a single load distinguishes complete from partial maps: compared with a marker property, a
 * missing key of a complete map costs 7 ns less.
 */
class PartialMap {
  readonly [WHOLE]: string = '';
}

/**
 * Returns a map with these entries whose other entries are unknown.
 *
 * @param whole the name of the map, used in unknowns, such as `req.Headers` for `req.Headers["X-Key"]`
 */
export function partialMap(known: Readonly<Record<string, Value | NonValue | undefined>>, whole: string): HostObject {
  const map = Object.defineProperty({ ...known }, WHOLE, { value: whole });
  return Object.setPrototypeOf(map, PartialMap.prototype);
}

/** Returns the name of a partial map; undefined for any other value. */
export function wholeOf(value: unknown): string | undefined {
  return value instanceof PartialMap ? value[WHOLE] : undefined;
}

/** `!_`. */
export function not(value: boolean): boolean {
  return !value;
}

/** For `dyn`, and for conversions to the type that a value already has. */
export function identity(value: Value): Value {
  return value;
}

// IEEE 754 as in JavaScript: division by zero returns an infinity or NaN, never an error.

export function addDouble(a: number, b: number): number {
  return a + b;
}

export function subtractDouble(a: number, b: number): number {
  return a - b;
}

export function multiplyDouble(a: number, b: number): number {
  return a * b;
}

export function divideDouble(a: number, b: number): number {
  return a / b;
}

export function negateDouble(a: number): number {
  return -a;
}

/**
 * Combines two operands of `&&` or `||` neither of which decides. An unknown wins over an error, and the first error over later ones; the
 * inputs of two unknowns are joined. A value that does not decide, or undefined before the first operand, yields to the other operand.
 */
export function combineUndecided<T>(left: T, right: T): T | Unknown {
  if (left instanceof Unknown) return right instanceof Unknown ? joinUnknowns(left, right) : left;
  if (right instanceof Unknown) return right;
  return left instanceof NonValue ? left : right;
}

function joinUnknowns(left: Unknown, right: Unknown): Unknown {
  if (left === right) return left;
  return new Unknown([...new Set([...left.attributes, ...right.attributes])].sort());
}

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

import type { Integer } from '../ast/ast.ts';

/**
 * What an evaluation works on. Two representations, and it is always known which one is meant:
 *
 * - *typed*: the static type is known from the checker. int and uint are {@link Integer}s, double is a number.
 * - *tagged*: where the static type is dyn, a type parameter or a wrapper, and inside lists and maps that an evaluation
 *   makes. An integral number or a bigint is an int; a number with a fraction, NaN and the infinities are doubles; an
 *   integral double is a {@link CelDouble}; a uint is a {@link CelUint}.
 *
 * All other types look the same in both. Lists are arrays, maps are {@link CelMap}s or plain host objects or host Maps,
 * objects are plain host objects. Elements of a typed list or map may be in either form (host data is read in place):
 * reading one as a double or uint takes the box off.
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

/** A map that an evaluation made, or one from the host. Keys: see {@link CelMap}. */
export type HostMap = ReadonlyMap<MapKey, Value>;

/** A plain object of the host: an object type's value, or a map with string keys. Only own properties count. */
export interface HostObject {
  readonly [field: string]: Value | undefined;
}

/** A key of a map; an int and a uint that are equal are the same key. */
export type MapKey = boolean | string | Integer;

/** A uint where the static type does not say so. */
export class CelUint {
  readonly value: Integer;

  constructor(value: Integer) {
    this.value = value;
  }
}

/** A double without a fraction where the static type does not say so. */
export class CelDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A map that an evaluation made. Numbers that are equal are one key; those that were uints are noted. */
export class CelMap extends Map<MapKey, Value> {
  uintKeys: Set<MapKey> | undefined = undefined;
}

/** A moment: whole seconds since 1970-01-01T00:00:00Z and 0 to 999,999,999 nanoseconds after that. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;

  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

/** A span of time: whole seconds and nanoseconds, both of the same sign. */
export class Duration {
  readonly seconds: number;
  readonly nanos: number;

  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

/** A type as a value, known by its name in the specification: `int`, `list`, `google.protobuf.Timestamp`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may be missing. */
export class Optional {
  /** Tagged; undefined for none. */
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

/** What an evaluation gives instead of a value. Tested with `instanceof`. */
export abstract class NonValue {}

/** An evaluation failed. A value, never thrown; carries no stack, and those without arguments are made once. */
export class EvaluationError extends NonValue {
  /** `eval/kebab-case`, such as `eval/no-such-key`. */
  readonly code: string;
  /** Lower case, no final period. */
  readonly message: string;
  /** The expression that failed; 0 until the evaluator has said which. */
  readonly exprId: number;

  constructor(code: string, message: string, exprId = 0) {
    super();
    this.code = code;
    this.message = message;
    this.exprId = exprId;
  }
}

/** The value is not known, because these inputs are not. */
export class Unknown extends NonValue {
  /** Source-like names of the missing inputs, such as `req.Headers["X-Key"]`; sorted, without repetition. */
  readonly attributes: readonly string[];

  constructor(attributes: readonly string[]) {
    super();
    this.attributes = attributes;
  }
}

/** As the value of a map's key or an object's field: not even whether it is there is known. Any other unknown there is present. */
export class UnknownPresence extends Unknown {}

const WHOLE = Symbol('whole');

/**
 * A map or object of the host that was recorded in part: keys that it does not hold are unknown rather than absent. Made by
 * {@link partialMap}. A class of its own, so that whole maps are told from partial ones by one load: a missing key of a whole map
 * costs 7 ns less than with a mark that is looked for.
 */
export class PartialMap {
  readonly [WHOLE]: string = '';
}

/**
 * Gives a map with these entries of which no more is known.
 *
 * @param whole names the whole map in what is reported as unknown, such as `req.Headers` for `req.Headers["X-Key"]`
 */
export function partialMap(known: Readonly<Record<string, Value | NonValue | undefined>>, whole: string): HostObject {
  const map = Object.defineProperty({ ...known }, WHOLE, { value: whole });
  return Object.setPrototypeOf(map, PartialMap.prototype);
}

/** The name of the whole that a partial map is of; undefined for anything else. */
export function wholeOf(value: unknown): string | undefined {
  return value instanceof PartialMap ? value[WHOLE] : undefined;
}

import { CelDouble, CelUint, Duration, partialMap, Timestamp, Unknown } from '@tollgate/cel';
import fc from 'fast-check';
import { FIELDS } from './paths.ts';

/** A value independent of any engine, which each engine converts to its own. */
export type Datum =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int' | 'uint'; readonly value: bigint }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  /** A `google.protobuf.SourceContext` with this file name: a message of one field. */
  | { readonly kind: 'message'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: readonly number[] }
  | { readonly kind: 'timestamp' | 'duration'; readonly seconds: number; readonly nanos: number }
  | { readonly kind: 'list'; readonly elements: readonly Datum[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: Datum, value: Datum])[] };

/** Draws a value from the random stream of a fast-check run. */
export type Take = fc.GeneratorValue;

/** Integers at boundaries: of signs, of 32 bits, of safe integers, of 64 bits. */
export const INTS: readonly bigint[] = [
  0n,
  1n,
  -1n,
  2n,
  3n,
  7n,
  -5n,
  10n,
  2n ** 31n - 1n,
  2n ** 31n,
  -(2n ** 31n),
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 53n),
  2n ** 63n - 1n,
  2n ** 63n - 2n,
  -(2n ** 63n),
  -(2n ** 63n) + 1n,
  3_037_000_500n,
];

export const UINTS: readonly bigint[] = [
  0n,
  1n,
  2n,
  3n,
  9n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n - 1n,
  2n ** 64n - 2n,
];

export const DOUBLES: readonly number[] = [
  0,
  -0,
  1,
  -1,
  2,
  0.5,
  -1.5,
  3.7,
  100,
  1e21,
  1e300,
  -1e300,
  2 ** 53,
  2 ** 63,
  5e-324,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

const STRINGS: readonly string[] = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'A',
  'é',
  '😀',
  'a😀b',
  '\uffff',
  'x-key',
  '12',
  'true',
  ' a ',
];

/** `@bufbuild/cel` orders strings by UTF-16 units, which differs for characters above the surrogates. */
export function stringsOf(without: ReadonlySet<string>): readonly string[] {
  if (without.has('astralText')) return STRINGS.slice(0, 5);
  return without.has('unitOrder') ? STRINGS.filter(text => text !== '\uffff') : STRINGS;
}

const SECONDS: readonly number[] = [0, 1, -1, 59, 86_400, 1_700_000_000, -2_000_000_000, 4_000_000_000];
const WHOLE_MILLISECONDS: readonly number[] = [0, 500_000_000, 999_000_000];
const NANOS: readonly number[] = [...WHOLE_MILLISECONDS, 1];

function literalJson(datum: Datum): unknown {
  return datum.kind === 'string' ? datum.value : undefined;
}

/**
 * Returns the value for our evaluators. Numbers are unboxed where the type is static; elsewhere, and inside lists and maps, they may be
 * boxed.
 */
export function toOurs(datum: Datum, isTyped: boolean): unknown {
  switch (datum.kind) {
    case 'null':
      return null;
    case 'bool':
    case 'string':
      return datum.value;
    case 'message':
      return { file_name: datum.value };
    case 'int':
      return canonical(datum.value);
    case 'uint':
      return isTyped ? canonical(datum.value) : new CelUint(canonical(datum.value));
    case 'double':
      return isTyped || !Number.isInteger(datum.value) ? datum.value : new CelDouble(datum.value);
    case 'bytes':
      return new Uint8Array(datum.value);
    case 'timestamp':
      return new Timestamp(datum.seconds, datum.nanos);
    case 'duration':
      return new Duration(datum.seconds, datum.nanos);
    case 'list':
      return datum.elements.map(element => toOurs(element, isTyped));
    case 'map':
      return mapToOurs(datum.entries, isTyped);
  }
}

/** Returns an object if all keys are strings, as in host data, and otherwise a Map. */
function mapToOurs(entries: Extract<Datum, { kind: 'map' }>['entries'], isTyped: boolean): unknown {
  const values = entries.map(([key, value]) => [toOurs(key, true), toOurs(value, isTyped)] as const);
  const isObject = entries.every(([key]) => typeof literalJson(key) === 'string');
  return isObject ? Object.fromEntries(values) : new Map(values);
}

function canonical(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Restrictions on data. */
interface DataTraits {
  /** Kinds of data to leave out: `largeInts`, `astralText`, `subMilliseconds`. */
  readonly without: ReadonlySet<string>;
}

/** Generates data of a type in the notation of {@link formatType}. */
export function datumOf(type: string, take: Take, traits: DataTraits): Datum {
  const pick = <T>(values: readonly T[]): T => values[take(fc.nat, values.length - 1)] as T;
  const [, element] = /^list\((.*)\)$/.exec(type) ?? [];
  if (element !== undefined) return { kind: 'list', elements: several(element, take, traits) };
  const [, scalar] = /^wrapper\((.*)\)$/.exec(type) ?? [];
  if (scalar !== undefined) return take(fc.nat, 1) === 0 ? { kind: 'null' } : datumOf(scalar, take, traits);
  const [, key, value] = /^map\((\w+), (.*)\)$/.exec(type) ?? [];
  if (key !== undefined && value !== undefined) return mapOfTypes(key, value, take, traits);
  const fields = FIELDS[type];
  if (fields !== undefined) return objectOf(fields, take, traits);
  const nanos = traits.without.has('subMilliseconds') ? WHOLE_MILLISECONDS : NANOS;
  switch (type) {
    case 'bool':
      return { kind: 'bool', value: pick([true, false]) };
    case 'int':
      if (traits.without.has('negativeInts')) return { kind: 'int', value: BigInt(take(fc.nat, 12)) };
      return {
        kind: 'int',
        value: pick(!traits.without.has('largeInts') && take(fc.nat, 2) === 0 ? INTS : INTS.slice(0, 8)),
      };
    case 'uint':
      return { kind: 'uint', value: pick(UINTS) };
    case 'double':
      return { kind: 'double', value: pick(DOUBLES) };
    case 'string':
      return { kind: 'string', value: pick(stringsOf(traits.without)) };
    case 'bytes':
      return { kind: 'bytes', value: pick([[], [0], [97, 98], [255], [240, 159, 152, 128]]) };
    case 'timestamp':
      return { kind: 'timestamp', seconds: pick(SECONDS), nanos: pick(nanos) };
    case 'duration':
      return { kind: 'duration', seconds: pick([0, 1, 60, 86_400, 315_000_000]), nanos: pick(nanos) };
    case 'google.protobuf.SourceContext':
      return { kind: 'message', value: pick(stringsOf(traits.without).filter(name => name !== '')) };
    case 'dyn':
      return datumOf(
        pick(['null', 'bool', 'int', 'uint', 'double', 'string', 'list(int)', 'map(string, string)']),
        take,
        traits,
      );
    default:
      return { kind: 'null' };
  }
}

function several(type: string, take: Take, traits: DataTraits): Datum[] {
  return Array.from({ length: take(fc.nat, 3) }, () => datumOf(type, take, traits));
}

/** Generates an object in which one field in eight is missing. */
function objectOf(fields: Readonly<Record<string, string>>, take: Take, traits: DataTraits): Datum {
  const kept = Object.entries(fields).filter(() => take(fc.nat, 7) > 0);
  return {
    kind: 'map',
    entries: kept.map(([name, type]) => [{ kind: 'string', value: name }, datumOf(type, take, traits)] as const),
  };
}

function mapOfTypes(keyType: string, valueType: string, take: Take, traits: DataTraits): Datum {
  const keys = new Map(
    several(keyType, take, traits).map(
      key => [JSON.stringify(toOurs(key, true), (_, part) => String(part)), key] as const,
    ),
  );
  const ordered = [...keys.values()].sort((a, b) => objectKeyOrder(a) - objectKeyOrder(b) || 0);
  return { kind: 'map', entries: ordered.map(key => [key, datumOf(valueType, take, traits)] as const) };
}

/**
 * JavaScript objects list index-like names first, other engines use insertion order. The specification leaves the order open, so data is
 * generated in an order on which all agree.
 */
function objectKeyOrder(key: Datum): number {
  const text = toOurs(key, true);
  return typeof text === 'string' && /^(0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;
}

/** Removes some of the data: values become unknown, and maps partial. */
export function obscure(value: unknown, name: string, take: Take): unknown {
  const chance = take(fc.nat, 5);
  if (chance === 0) return new Unknown([name]);
  if (chance > 2 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element, i) => obscure(element, `${name}[${i}]`, take));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(value).filter(() => take(fc.nat, 1) === 0);
  return partialMap(Object.fromEntries(kept), name);
}

/** Returns the same data in another representation that a host may use: only own properties count, however the object was created. */
export function disguise(value: unknown, take: Take): unknown {
  if (Array.isArray(value)) return value.map(element => disguise(element, take));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([key, held]) => [key, disguise(held, take)] as const);
  switch (take(fc.nat, 6)) {
    case 0:
      return Object.assign(Object.create(null), Object.fromEntries(entries));
    case 1:
      return withGetters({}, entries);
    case 2:
      return new Map(entries);
    case 3:
      return Object.freeze(Object.fromEntries(entries));
    default:
      return Object.fromEntries(entries);
  }
}

/** Returns the data, and the same data with decoys: each object also inherits values under names that expressions read. */
export function withDecoys(value: unknown, take: Take): { readonly bare: unknown; readonly decoyed: unknown } {
  if (Array.isArray(value)) {
    const elements = value.map(element => withDecoys(element, take));
    return { bare: elements.map(({ bare }) => bare), decoyed: elements.map(({ decoyed }) => decoyed) };
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return { bare: value, decoyed: value };
  }
  // Some own properties become inherited ones, which must then count as absent.
  const own: [string, unknown][] = [];
  const decoys: [string, unknown][] = [];
  const bare: [string, unknown][] = [];
  for (const [key, held] of Object.entries(value)) {
    const inner = withDecoys(held, take);
    if (take(fc.nat, 3) === 0) decoys.push([key, held]);
    else {
      own.push([key, inner.decoyed]);
      bare.push([key, inner.bare]);
    }
  }
  const heir = take(fc.nat, 1) === 0 ? heirOf(decoys) : heirOf([], withGetters(Object.create(null), decoys));
  return { bare: Object.fromEntries(bare), decoyed: Object.assign(heir, Object.fromEntries(own)) };
}

/** Returns an object that inherits the properties, from a class or from another object. */
function heirOf(properties: readonly (readonly [key: string, value: unknown])[], prototype: object = {}): object {
  return Object.create(Object.assign(prototype, Object.fromEntries(properties)));
}

function withGetters(object: object, entries: readonly (readonly [key: string, value: unknown])[]): object {
  const properties = entries.map(([key, value]) => [key, { get: () => value, enumerable: true }] as const);
  return Object.defineProperties(object, Object.fromEntries(properties));
}

// Host data as CEL values: what is accepted, in which representation it is read, and how functions of the host are guarded.

import type { Integer } from '../ast/ast.ts';
import { formatType, isDynamic, type Type } from '../ast/types.ts';
import { DUPLICATE_KEY, HOST_TYPE, NO_MATCHING_OVERLOAD, NO_SUCH_KEY, UNSUPPORTED_KEY } from '../values/errors.ts';
import { toInt64, toUint64 } from '../values/numbers.ts';
import { timestampOfDate } from '../values/time.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  Duration,
  EvaluationError,
  type HostMap,
  type HostObject,
  kindOf,
  type MapKey,
  NonValue,
  type Optional,
  runtimeTypeOf,
  Timestamp,
  Unknown,
  UnknownPresence,
  type Value,
  wholeOf,
} from '../values/value.ts';
import type { ImplementationFunction } from './context.ts';

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

/** Any representation of a map: created by an evaluation, or host data. */
export type MapValue = HostMap | HostObject;

/** Returns the key to look up for a tagged value; undefined if no key can equal it. */
export function mapKeyOf(value: Value): MapKey | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return integralKey(value);
    default:
      if (value instanceof CelUint) return value.value;
      return value instanceof CelDouble ? integralKey(value.value) : undefined;
  }
}

/** Keys beyond the safe integers are bigints, and an equal double must find them, too. */
function integralKey(number: number): MapKey | undefined {
  if (Number.isSafeInteger(number)) return number + 0;
  return Number.isInteger(number) ? BigInt(number) : undefined;
}

/** Returns the value at a key, unread; undefined if there is none. */
export function lookUp(map: MapValue, key: MapKey): Value | NonValue | undefined {
  if (map instanceof Map) return map.get(key);
  return lookUpField(map as HostObject, key);
}

function lookUpField(object: HostObject, key: MapKey): Value | NonValue | undefined {
  if (typeof key === 'string' && Object.hasOwn(object, key)) return object[key];
  return unknownRest(object, key);
}

/** Returns the unknown for a key that a partial map does not contain; undefined if the map is complete. */
export function unknownRest(object: object, key: MapKey): Unknown | undefined {
  const whole = wholeOf(object);
  if (whole === undefined) return undefined;
  return new Unknown([`${whole}[${typeof key === 'string' ? JSON.stringify(key) : key}]`]);
}

/** `_[_]` of a map; keys and results are tagged. */
export function indexMap(map: MapValue, key: Value): Value | NonValue {
  const mapKey = mapKeyOf(key);
  const found = mapKey === undefined ? undefined : lookUp(map, mapKey);
  return found === undefined ? NO_SUCH_KEY : fromHost(found);
}

/** `in` of a map; the key is tagged. */
export function inMap(key: Value, map: MapValue): boolean | NonValue {
  const mapKey = mapKeyOf(key);
  if (mapKey === undefined) return false;
  const found = lookUp(map, mapKey);
  if (found instanceof UnknownPresence) return found;
  return found instanceof Unknown && !holds(map, mapKey) ? found : found !== undefined;
}

/** A present key whose value is unknown is still present, except for an `UnknownPresence`. */
function holds(map: MapValue, key: MapKey): boolean {
  return map instanceof Map ? map.has(key) : Object.hasOwn(map, key as string);
}

export function sizeOfMap(map: MapValue): number {
  return map instanceof Map ? map.size : fieldsOf(map as HostObject).length;
}

/** Returns the keys in order, tagged. */
export function keysOf(map: MapValue): Value[] {
  if (!(map instanceof Map)) return fieldsOf(map as HostObject);
  const uints = map instanceof CelMap ? map.uintKeys : undefined;
  const keys: Value[] = [];
  for (const key of map.keys() as Iterable<MapKey>) {
    keys.push(uints?.has(key) ? new CelUint(key as number | bigint) : key);
  }
  return keys;
}

/** As in JSON, a field that is undefined is absent. */
function fieldsOf(object: HostObject): string[] {
  const fields = Object.keys(object);
  return fields.every(field => object[field] !== undefined)
    ? fields
    : fields.filter(field => object[field] !== undefined);
}

/** Adds a tagged entry to a map under construction. Returns an error for an invalid key. */
export function putEntry(map: CelMap, key: Value, value: Value): EvaluationError | undefined {
  const mapKey = literalKey(key);
  if (mapKey === undefined) return UNSUPPORTED_KEY;
  if (map.has(mapKey)) return DUPLICATE_KEY;
  map.set(mapKey, value);
  if (key instanceof CelUint) {
    map.uintKeys ??= new Set();
    map.uintKeys.add(mapKey);
  }
  return undefined;
}

/** Unlike in a lookup, a double is not a valid key even if it is integral (Language Definition, "Aggregate Values"). */
function literalKey(key: Value): MapKey | undefined {
  const isDouble = key instanceof CelDouble || (typeof key === 'number' && !Number.isSafeInteger(key));
  return isDouble ? undefined : mapKeyOf(key);
}

/**
 * Reads host data, or an element of a list or map, whose type is not known statically. Returns a tagged value, or an error if CEL has no
 * such value. Lists and maps are not inspected.
 */
export function fromHost(value: unknown): Value | NonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // There is no int -0.
      return value + 0;
    case 'bigint': {
      const integer = toInt64(value);
      return typeof integer === 'object' ? HOST_TYPE : integer;
    }
    case 'object':
      return value instanceof Date ? timestampOfDate(value) : (value as Value | NonValue);
    default:
      return HOST_TYPE;
  }
}

/** Converts a value from the typed to the tagged representation. */
export type Tagger = (value: Value) => Value;

/** Returns how to tag values of a static type; undefined if both representations are the same. Lists and maps are copied. */
export function toTagged(type: Type): Tagger | undefined {
  switch (type.kind) {
    case 'double':
      return tagDouble;
    case 'uint':
      return tagUint;
    case 'list':
      return listTagger(toTagged(type.element));
    case 'map':
      return mapTagger(toTagged(type.key), toTagged(type.value));
    default:
      return undefined;
  }
}

/** An element may already be tagged. */
function tagDouble(value: Value): Value {
  return typeof value === 'number' ? boxDouble(value) : value;
}

function tagUint(value: Value): Value {
  return typeof value === 'number' || typeof value === 'bigint' ? boxUint(value as Integer) : value;
}

function listTagger(tag: Tagger | undefined): Tagger | undefined {
  return tag && (list => (list as readonly Value[]).map(tag));
}

function mapTagger(tagKey: Tagger | undefined, tagValue: Tagger | undefined): Tagger | undefined {
  if (tagKey === undefined && tagValue === undefined) return undefined;
  return map => {
    const tagged = new CelMap();
    for (const key of keysOf(map as MapValue)) {
      const value = lookUp(map as MapValue, mapKeyOf(key)!) as Value;
      putEntry(tagged, tagKey ? tagKey(key) : key, tagValue ? tagValue(value) : value);
    }
    return tagged;
  };
}

/** Converts a tagged value to the typed representation, or returns an error if it is of another type. */
export type Untagger = (value: Value) => Value | EvaluationError;

/** Returns how to convert a tagged value to a static type; undefined if every value is one as it is. */
export function toTyped(type: Type): Untagger | undefined {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'param':
      return undefined;
    case 'double':
      return untagDouble;
    case 'uint':
      return value => (value instanceof CelUint ? value.value : NO_MATCHING_OVERLOAD);
    default:
      return value => (matchesType(value, type) ? value : NO_MATCHING_OVERLOAD);
  }
}

function untagDouble(value: Value): Value | EvaluationError {
  if (value instanceof CelDouble) return value.value;
  return kindOf(value) === 'double' ? value : NO_MATCHING_OVERLOAD;
}

/** Returns true if a tagged value is of a static type. Checks elements in linear time if the type restricts them. */
export function matchesType(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'param':
      return true;
    case 'wrapper':
      return value === null || matchesType(value, type.of);
    case 'list':
      return kindOf(value) === 'list' && everyMatches(value as readonly Value[], type.element);
    case 'map':
      return kindOf(value) === 'map' && mapMatches(value as MapValue, type.key, type.value);
    case 'optional':
      return kindOf(value) === 'optional' && optionalMatches(value as Optional, type.value);
    case 'object':
      return kindOf(value) === 'map' && !(value instanceof Map);
    case 'opaque':
      return runtimeTypeOf(value).name === type.name;
    default:
      return kindOf(value) === type.kind;
  }
}

function everyMatches(values: readonly unknown[], type: Type): boolean {
  return isDynamic(type) || values.every(value => elementMatches(value, type));
}

function mapMatches(map: MapValue, keyType: Type, valueType: Type): boolean {
  if (isDynamic(keyType) && isDynamic(valueType)) return true;
  return keysOf(map).every(key => matchesType(key, keyType) && elementMatches(lookUp(map, mapKeyOf(key)!), valueType));
}

function optionalMatches(optional: Optional, type: Type): boolean {
  return optional.value === undefined || matchesType(optional.value, type);
}

/** Elements that are errors or unknown may be of any type; reading them decides. */
function elementMatches(element: unknown, type: Type): boolean {
  const value = fromHost(element);
  return value instanceof NonValue || matchesType(value, type);
}

/**
 * Returns a user function guarded, so that it cannot break an evaluation: an exception, or a result that is not of the declared type,
 * becomes an evaluation error that names the function. A promise is never a value. `Date`s are read as timestamps.
 */
export function guardFunction(name: string, result: Type, call: ImplementationFunction): ImplementationFunction {
  const run = call as (...args: readonly unknown[]) => unknown;
  const read = hostReader(result);
  const wrong = (value: unknown): EvaluationError =>
    new EvaluationError(
      'eval/host-type',
      `\`${name}()\` must return a value of type ${formatType(result)}, found ${describe(value)}`,
    );
  return (...args: readonly unknown[]): Value | NonValue => {
    let value: unknown;
    try {
      value = run(...args);
      if (isThenable(value)) return wrong(value);
    } catch (error) {
      return failed(name, error);
    }
    if (value instanceof NonValue) return value;
    const outcome = value === undefined ? wrong(value) : read(value);
    return outcome instanceof NonValue ? wrong(value) : outcome;
  };
}

function failed(name: string, error: unknown): EvaluationError {
  return new EvaluationError('eval/extension-failed', `\`${name}()\` failed: ${messageOf(error)}`);
}

/** Even reading an error may throw. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'it threw something that cannot be shown';
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function describe(value: unknown): string {
  if (isThenable(value)) return 'a promise; return the value itself';
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'undefined';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

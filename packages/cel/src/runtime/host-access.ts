// Reads members and elements of host data, finds unknown parts in it, and converts results back.

import type { Type } from '../ast/types.ts';
import {
  HOST_TYPE,
  INDEX_OUT_OF_RANGE,
  NESTED_TOO_DEEPLY,
  NO_MATCHING_OVERLOAD,
  NO_SUCH_KEY,
  noSuchField,
  noSuchKey,
  OUT_OF_STEPS,
} from '../values/errors.ts';
import { durationToString, timestampToString } from '../values/time.ts';
import {
  type CelDouble,
  type CelMap,
  type CelUint,
  type Duration,
  EvaluationError,
  type HostObject,
  kindOf,
  type MapKey,
  NonValue,
  Optional,
  type Timestamp,
  type TypeValue,
  Unknown,
  UnknownPresence,
  type Value,
  wholeOf,
} from '../values/value.ts';
import type { RunContext } from './context.ts';
import {
  fromHost,
  type HostReader,
  hostReader,
  keysOf,
  lookUp,
  type MapValue,
  mapKeyOf,
  putEntry,
  toTagged,
} from './host.ts';

// What generated code calls where its plain loads do not suffice.

/** A step into a value: a variable of the activation, a field of an object, a key of a map, or an index of a list. */
export type AccessStep = readonly [kind: 'variable' | 'field' | 'key' | 'index', name: string | number, exprId: number];

/**
 * Resolves a path step by step and reads its value. Returns the value in its typed representation, or an error or unknown with its
 * location.
 */
export function resolve(root: unknown, steps: readonly AccessStep[], read: HostReader, rootId: number): unknown {
  let at = root;
  let exprId = rootId;
  for (const [kind, name, id] of steps) {
    if (at instanceof NonValue) return at;
    at = stepInto(at, kind, name, id);
    if (at instanceof NonValue) return locate(at, at === HOST_TYPE ? exprId : id);
    exprId = id;
  }
  return locate(read(at) as NonValue, exprId);
}

function stepInto(from: unknown, kind: AccessStep[0], name: string | number, exprId: number): unknown {
  switch (kind) {
    case 'variable':
      return readVariable(from as HostObject, name as string, exprId);
    case 'index':
      return Array.isArray(from)
        ? (name as number) < from.length
          ? from[name as number]
          : INDEX_OUT_OF_RANGE
        : HOST_TYPE;
    case 'field':
      return isMap(from) && !(from instanceof Map) ? readField(from, name as string, exprId) : HOST_TYPE;
    case 'key':
      return isMap(from) ? readMember(from, name as string, exprId) : HOST_TYPE;
  }
}

function isMap(value: unknown): value is MapValue {
  return typeof value === 'object' && value !== null && !(value instanceof Date) && kindOf(value as Value) === 'map';
}

function readVariable(activation: HostObject, name: string, exprId: number): unknown {
  const value = ownValue(activation, name);
  if (value !== undefined) return value;
  if (wholeOf(activation) !== undefined) return new Unknown([name]);
  return new EvaluationError('eval/no-such-variable', `the variable \`${name}\` has no value`, exprId);
}

/** Returns an own property of an object; undefined if there is none or the value is not an object. */
export function ownValue(container: unknown, name: string): unknown {
  if (typeof container !== 'object' || container === null || Array.isArray(container) || container instanceof NonValue)
    return undefined;
  return Object.hasOwn(container, name) ? (container as HostObject)[name] : undefined;
}

/**
 * Returns true if the value is a plain object that is known completely. It reads the constructor because reading the prototype is a call out
 * of optimized code; a key with that name makes the result false, which is safe, and an object with another plain object as its prototype
 * makes it true, which is safe as well because callers then find no own property.
 */
export function isRecord(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return value.constructor === Object || (typeof value === 'object' && Object.getPrototypeOf(value) === null);
}

/** Returns the error of a missing key, located at an expression. */
export function absentKey(name: string, exprId: number): EvaluationError {
  return locate(noSuchKey(JSON.stringify(name)), exprId);
}

/** Returns a field of an object, unread, or an error or unknown. */
export function readField(object: MapValue | null, name: string, exprId: number): unknown {
  const found = fieldOf(object, name);
  return found === undefined ? locate(noSuchField(name), exprId) : locate(found, exprId);
}

/** Returns the own field of an object, unread; undefined if it is absent. The object may be null where the checker joins both types. */
export function fieldOf(object: MapValue | null, name: string): unknown {
  if (object === null) return NO_MATCHING_OVERLOAD;
  if (Object.hasOwn(object, name)) return (object as HostObject)[name];
  const rest = wholeOf(object);
  return rest === undefined ? undefined : new Unknown([`${rest}.${name}`]);
}

/** `a.b` of a map, or of a value whose type is known only at run time, unread. Selecting from an optional returns an optional. */
export function readMember(container: unknown, name: string, exprId: number): unknown {
  const found = memberOf(container, name);
  return found === undefined ? absentKey(name, exprId) : found;
}

/** Returns `container.name` of a map, or of a value whose type is known only at run time, unread; undefined if it is absent. */
export function memberOf(container: unknown, name: string): unknown {
  if (container instanceof Optional) return optionalMember(container, name, fromHost);
  return isMap(container) ? lookUp(container, name) : NO_MATCHING_OVERLOAD;
}

/** `has(a.b)` of an object: a present field that is not of its declared type is an error. */
export function hasField(object: MapValue | null, name: string, read: HostReader): boolean | NonValue {
  return present(fieldOf(object, name), read);
}

/** `has(a.b)` of a map, or of a value whose type is known only at run time. */
export function hasMember(container: unknown, name: string, read: HostReader): boolean | NonValue {
  const found = memberOf(container, name);
  if (container instanceof Optional && found instanceof Optional) return found.value !== undefined;
  return present(found, read);
}

function present(found: unknown, read: HostReader): boolean | NonValue {
  if (found === undefined) return false;
  const value = read(found);
  return value instanceof NonValue ? value : true;
}

/** `map[key]`, for a tagged key, unread. */
export function readKey(map: MapValue, key: Value, exprId: number): unknown {
  const mapKey = mapKeyOf(key);
  const found = mapKey === undefined ? undefined : lookUp(map, mapKey);
  return found === undefined ? locate(keyError(mapKey), exprId) : found;
}

function keyError(key: MapKey | undefined): EvaluationError {
  return key === undefined ? NO_SUCH_KEY : noSuchKey(typeof key === 'string' ? JSON.stringify(key) : String(key));
}

/** `list[index]`, unread. */
export function readIndex(list: readonly unknown[], index: number | bigint, exprId: number): unknown {
  if (typeof index === 'number' && index >= 0 && index < list.length) return list[index];
  return locate(INDEX_OUT_OF_RANGE, exprId);
}

/** `a[b]` of values whose types are known only at run time, unread; indexing an optional returns an optional. */
export function readIndexed(container: unknown, index: Value, exprId: number): unknown {
  return locate(elementAt(container, index), exprId);
}

/** Like {@link readIndexed}, but errors have no location. */
export function elementAt(container: unknown, index: Value): unknown {
  if (container instanceof Optional) return optionalMember(container, index, fromHost);
  const found = elementOf(container, index);
  // An element may be null.
  if (found !== undefined) return found;
  return Array.isArray(container) ? INDEX_OUT_OF_RANGE : keyError(mapKeyOf(index));
}

/** Returns the element at an index, unread; undefined if there is none. A list index may be of any numeric type. */
function elementOf(container: unknown, index: Value): unknown {
  const key = mapKeyOf(index);
  if (Array.isArray(container)) {
    if (typeof key === 'number') return container[key];
    return typeof key === 'bigint' ? undefined : NO_MATCHING_OVERLOAD;
  }
  if (!isMap(container)) return NO_MATCHING_OVERLOAD;
  return key === undefined ? undefined : lookUp(container, key);
}

/** `a.?b` and `a[?b]`: returns an empty optional for what is absent; `read` returns a present value tagged. */
export function optionalMember(container: unknown, key: Value, read: HostReader): Optional | NonValue {
  if (container instanceof Optional) {
    return container.value === undefined ? container : optionalMember(container.value, key, read);
  }
  const found = elementOf(container, key);
  if (found === undefined) return new Optional(undefined);
  const value = read(found);
  return value instanceof NonValue ? value : new Optional(value);
}

/** Returns a reader for elements of a type; the result is tagged. */
export function taggedReader(type: Type): HostReader {
  const read = hostReader(type);
  const tag = toTagged(type);
  if (tag === undefined) return read;
  return value => {
    const typed = read(value);
    return typed instanceof NonValue ? typed : tag(typed);
  };
}

/** Returns the range of a comprehension: the elements of a list, or the keys of a map. */
export function iterationOf(value: unknown, exprId: number): readonly Value[] | NonValue {
  if (Array.isArray(value)) return value;
  return isMap(value) ? (unknownKeys(value) ?? keysOf(value)) : locate(NO_MATCHING_OVERLOAD, exprId);
}

/** Returns the value at a key returned by {@link keysOf}, unread. */
export function lookUpTagged(map: MapValue, key: Value): unknown {
  return lookUp(map, mapKeyOf(key) as MapKey);
}

/** Adds the entries of a map to one under construction. Returns an error for an invalid key. */
export function putEntries(map: CelMap, entries: MapValue): EvaluationError | undefined {
  for (const key of keysOf(entries)) {
    const value = fromHost(lookUpTagged(entries, key)) as Value;
    const error = putEntry(map, key, value);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Adds a location to an error that has none; returns any other outcome unchanged. */
export function locate<T>(outcome: T, exprId: number): T | EvaluationError {
  if (!(outcome instanceof EvaluationError) || outcome.exprId !== 0) return outcome;
  return new EvaluationError(outcome.code, outcome.message, exprId);
}

/**
 * Returns the unknown for a partial map or object of the host whose whole value is needed; undefined if it is complete. Does not inspect
 * its values.
 */
export function unknownWhole(value: unknown): Unknown | undefined {
  const whole = wholeOf(value);
  return whole === undefined ? undefined : new Unknown([whole]);
}

/** Like {@link unknownWhole}, for the range of a loop: also unknown if the presence of a key is. */
export function unknownKeys(map: MapValue): Unknown | undefined {
  const whole = unknownWhole(map);
  if (whole !== undefined) return whole;
  for (const value of map instanceof Map ? map.values() : Object.values(map)) {
    if (value instanceof UnknownPresence) return value;
  }
  return undefined;
}

/**
 * Returns the first error or unknown inside a value, partial maps included; undefined if there is none. It is the result of whatever needs
 * the whole value: equality, a function, the evaluation itself. A value that is nested too deeply, or cyclic, is an error, so that later
 * code may recurse. Each element costs a step, because lists that contain the same list many times are large.
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

/** Nesting of lists and maps. Far beyond practical use, and far below what the stack allows. */
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

/**
 * Converts a value to plain JavaScript: numbers, or bigints for integers beyond 2^53; arrays; objects, or Maps if a key is not a string;
 * timestamps and durations as their CEL strings; a type as its name; an empty optional as undefined. Values of other library types, such as
 * addresses, are returned unchanged.
 */
export function toHost(value: Value): unknown {
  switch (kindOf(value)) {
    case 'uint':
      return (value as CelUint).value;
    case 'double':
      return typeof value === 'number' ? value : (value as CelDouble).value;
    case 'timestamp':
      return timestampToString(value as Timestamp);
    case 'duration':
      return durationToString(value as Duration);
    case 'type':
      return (value as TypeValue).name;
    case 'optional':
      return elementToHost((value as Optional).value);
    case 'list':
      return (value as readonly unknown[]).map(elementToHost);
    case 'map':
      return mapToHost(value as MapValue);
    default:
      return value;
  }
}

function elementToHost(element: unknown): unknown {
  if (element === undefined) return undefined;
  const value = fromHost(element);
  return value instanceof NonValue ? value : toHost(value);
}

function mapToHost(map: MapValue): unknown {
  const entries = keysOf(map).map((key): [MapKey, unknown] => {
    const mapKey = mapKeyOf(key)!;
    return [mapKey, elementToHost(lookUp(map, mapKey))];
  });
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : new Map(entries);
}

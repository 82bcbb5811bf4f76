import { DUPLICATE_KEY, NO_SUCH_KEY, UNSUPPORTED_KEY } from '../../values/errors.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  type EvaluationError,
  type HostMap,
  type HostObject,
  type MapKey,
  type NonValue,
  Unknown,
  UnknownPresence,
  type Value,
  wholeOf,
} from '../../values/value.ts';
import { fromHost } from './from-host.ts';

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

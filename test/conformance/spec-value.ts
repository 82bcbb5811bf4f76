import {
  CelDouble,
  CelMap,
  CelUint,
  compileClosures,
  createEnvironment,
  Duration,
  EXTENSION_LIBRARIES,
  type MapKey,
  NonValue,
  Optional,
  parse,
  Timestamp,
  TypeValue,
  type Value,
} from '@tollgate/cel';
import { typeDynamically } from '@tollgate/cel/tooling';
import type { Datum } from '../differential/data.ts';

/** A value in the JSON form of the suites. */
export interface SpecValue {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly SpecValue[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: SpecValue; readonly value: SpecValue }[] };
  readonly objectValue?: { readonly '@type': string; readonly value: string };
}

/** Returns the value, tagged. */
export function toValue(spec: SpecValue): Value {
  if ('nullValue' in spec) return null;
  if (spec.boolValue !== undefined) return spec.boolValue;
  if (spec.int64Value !== undefined) return toInteger(spec.int64Value);
  if (spec.uint64Value !== undefined) return new CelUint(toInteger(spec.uint64Value));
  if (spec.doubleValue !== undefined) return toDouble(Number(spec.doubleValue));
  if (spec.stringValue !== undefined) return spec.stringValue;
  if (spec.bytesValue !== undefined) return new Uint8Array(Buffer.from(spec.bytesValue, 'base64'));
  if (spec.typeValue !== undefined) return new TypeValue(spec.typeValue);
  if (spec.listValue) return (spec.listValue.values ?? []).map(toValue);
  if (spec.mapValue) return toMap(spec.mapValue);
  if (spec.objectValue) return toTime(spec.objectValue);
  throw new Error(`unknown value in a suite: ${JSON.stringify(spec)}`);
}

function toInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function toDouble(value: number): Value {
  return Number.isInteger(value) ? new CelDouble(value) : value;
}

function toMap({ entries = [] }: NonNullable<SpecValue['mapValue']>): Value {
  const map = new CelMap();
  for (const entry of entries) {
    const key = toValue(entry.key);
    const plain = (key instanceof CelUint ? key.value : key) as MapKey;
    map.set(plain, toValue(entry.value));
    if (key instanceof CelUint) {
      map.uintKeys ??= new Set();
      map.uintKeys.add(plain);
    }
  }
  return map;
}

const EMPTY = createEnvironment({ libraries: EXTENSION_LIBRARIES });

/** Times are written in the library's own format. */
function toTime({ '@type': type, value }: NonNullable<SpecValue['objectValue']>): Value {
  const name = type.endsWith('.Timestamp') ? 'timestamp' : 'duration';
  const { ast } = parse(`${name}(${JSON.stringify(value)})`, EMPTY);
  const time = compileClosures(typeDynamically(ast, EMPTY), EMPTY).evaluate({});
  if (time instanceof Timestamp || time instanceof Duration) return time;
  throw new Error(`unknown object in a suite: ${type}`);
}

/** Returns the value in the format for other engines. */
export function toDatum(spec: SpecValue): Datum {
  if ('nullValue' in spec) return { kind: 'null' };
  if (spec.boolValue !== undefined) return { kind: 'bool', value: spec.boolValue };
  if (spec.int64Value !== undefined) return { kind: 'int', value: BigInt(spec.int64Value) };
  if (spec.uint64Value !== undefined) return { kind: 'uint', value: BigInt(spec.uint64Value) };
  if (spec.doubleValue !== undefined) return { kind: 'double', value: Number(spec.doubleValue) };
  if (spec.stringValue !== undefined) return { kind: 'string', value: spec.stringValue };
  if (spec.bytesValue !== undefined) return { kind: 'bytes', value: [...Buffer.from(spec.bytesValue, 'base64')] };
  if (spec.listValue) return { kind: 'list', elements: (spec.listValue.values ?? []).map(toDatum) };
  if (spec.mapValue) {
    return {
      kind: 'map',
      entries: (spec.mapValue.entries ?? []).map(entry => [toDatum(entry.key), toDatum(entry.value)]),
    };
  }
  const time = toValue(spec);
  if (time instanceof Timestamp) return { kind: 'timestamp', seconds: time.seconds, nanos: time.nanos };
  if (time instanceof Duration) return { kind: 'duration', seconds: time.seconds, nanos: time.nanos };
  throw new Error(`not given to engines: ${JSON.stringify(spec)}`);
}

/** Returns true if two tagged values are identical, including their types: 1 is not 1.0, and NaN is NaN. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (a instanceof NonValue || b instanceof NonValue) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof Map) return b instanceof Map && isSameMap(a as CelMap, b as CelMap);
  if (a instanceof CelDouble) return b instanceof CelDouble && Object.is(a.value, b.value);
  if (a instanceof CelUint) return b instanceof CelUint && a.value === b.value;
  if (a instanceof Optional) return b instanceof Optional && isSame(a.value, b.value);
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.seconds === b.seconds && a.nanos === b.nanos;
  return false;
}

function isSameMap(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(
    ([key, value]) => b.has(key) && a.uintKeys?.has(key) === b.uintKeys?.has(key) && isSame(value, b.get(key)),
  );
}

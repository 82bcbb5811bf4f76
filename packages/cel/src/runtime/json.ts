import {
  COLLECTION_TOO_LARGE,
  HOST_TYPE,
  NESTED_TOO_DEEPLY,
  NO_JSON,
  NO_VALUE,
  OUT_OF_STEPS,
  STRING_TOO_LONG,
} from '../values/errors.ts';
import { toInt64, toUint64 } from '../values/numbers.ts';
import { durationToString, stringToDuration, stringToTimestamp, timestampToString } from '../values/time.ts';
import {
  CelUint,
  type Duration,
  EvaluationError,
  kindOf,
  NonValue,
  Optional,
  type Timestamp,
  type TypeValue,
  type Value,
} from '../values/value.ts';
import type { RunContext } from './context.ts';
import { base64Of, decodeBase64 } from './conversion.ts';
import { numberIn } from './equality.ts';
import { boxDouble, fromHost, keysOf, lookUp, type MapValue, mapKeyOf } from './host.ts';

/** `json.encode` returns JSON (RFC 8259), with the characters escaped that the reference implementation escapes for HTML. */
export function encodeJson(context: RunContext, value: Value): string | NonValue {
  return encoded(value, context.limits.maxTextLength);
}

/** @param room in UTF-16 units; longer JSON is an error, detected before it is created */
function encoded(value: Value, room: number): string | NonValue {
  const json = jsonOf(value, room);
  return typeof json === 'string' && json.length > room ? STRING_TOO_LONG : json;
}

function jsonOf(value: Value, room: number): string | NonValue {
  switch (kindOf(value)) {
    case 'null':
    case 'bool':
      return `${value as null | boolean}`;
    case 'int':
    case 'uint':
      return integerJson(numberIn(value)!);
    case 'double':
      return doubleJson(numberIn(value) as number);
    case 'string':
      return stringJson(value as string);
    case 'bytes':
      return stringJson(base64Of(value as Uint8Array));
    case 'timestamp':
      return stringJson(timestampToString(value as Timestamp));
    case 'duration':
      return stringJson(durationToString(value as Duration));
    case 'list':
      return joined(value as readonly unknown[], ['[', ']'], room);
    case 'map':
      return mapJson(value as MapValue, room);
    case 'optional':
      return optionalJson(value as Optional, room);
    default:
      return NO_JSON;
  }
}

function optionalJson({ value }: Optional, room: number): string | NonValue {
  return value === undefined ? NO_VALUE : encoded(value, room);
}

/** JSON parsers round integers that a double cannot represent, so those become strings. */
function integerJson(integer: number | bigint): string {
  return typeof integer === 'bigint' ? `"${integer}"` : `${integer}`;
}

function doubleJson(value: number): string | NonValue {
  if (!Number.isFinite(value)) return NO_JSON;
  return Object.is(value, -0) ? '-0' : `${value}`;
}

function stringJson(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[<>&\u2028\u2029]/g, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function mapJson(map: MapValue, room: number): string | NonValue {
  const keys = keysOf(map);
  const names = keys.map(key => (typeof key === 'string' ? key : `${numberIn(key) ?? key}`));
  const values = keys.map(key => lookUp(map, mapKeyOf(key)!));
  return joined(values, ['{', '}'], room, index => `${stringJson(names[index]!)}:`);
}

function joined(
  elements: readonly unknown[],
  [open, close]: readonly [string, string],
  room: number,
  before: (index: number) => string = () => '',
): string | NonValue {
  const parts: string[] = [];
  let left = room;
  for (const [index, element] of elements.entries()) {
    const value = element === undefined ? HOST_TYPE : fromHost(element);
    const json = value instanceof NonValue ? value : encoded(value, left);
    if (typeof json !== 'string') return json;
    parts.push(before(index) + json);
    left -= parts[index]!.length + 1;
  }
  return `${open}${parts.join(',')}${close}`;
}

/**
 * `json.parse(text)` returns none for invalid JSON and for numbers beyond the range of a double. Numbers without a fraction or exponent are
 * ints if they fit.
 */
export function parseJson(context: RunContext, text: string): Optional | EvaluationError {
  let count = 0;
  let isInRange = true;
  const read = (_key: string, value: unknown, { source }: { readonly source?: string }): unknown => {
    count++;
    if (typeof value === 'number') isInRange &&= Number.isFinite(value);
    if (typeof value === 'number') return numberOf(source!);
    return typeof value === 'string' ? value.toWellFormed() : value;
  };
  try {
    const value = JSON.parse(text, read as Parameters<typeof JSON.parse>[1]) as Value;
    if (count > context.limits.maxCollectionSize) return COLLECTION_TOO_LARGE;
    context.left -= count;
    if (context.left < 0) return OUT_OF_STEPS;
    return new Optional(isInRange ? value : undefined);
  } catch (thrown) {
    // Any other error is a stack overflow of V8, caused by deep recursion.
    return thrown instanceof SyntaxError ? new Optional(undefined) : NESTED_TOO_DEEPLY;
  }
}

function numberOf(source: string): Value {
  const integer = /^-?\d+$/.test(source) ? toInt64(BigInt(source)) : undefined;
  return typeof integer === 'number' || typeof integer === 'bigint' ? integer : boxDouble(Number(source));
}

/** `json.parse(text, type)` also returns none for a value of another type. */
export function parseJsonAs(context: RunContext, text: string, type: TypeValue): Optional | EvaluationError {
  const parsed = parseJson(context, text);
  if (parsed instanceof EvaluationError || parsed.value === undefined) return parsed;
  const value = READERS.get(type.name)?.(parsed.value, text);
  return new Optional(value instanceof NonValue ? undefined : value);
}

/** Reads a JSON value as one of a type, or its source if the value has lost digits or the sign of zero. */
type Reader = (value: Value, text: string) => Value | NonValue | undefined;

/** By type name. */
const READERS: ReadonlyMap<string, Reader> = /* @__PURE__ */ new Map<string, Reader>([
  ['null_type', value => (value === null ? null : undefined)],
  ['bool', value => (typeof value === 'boolean' ? value : undefined)],
  ['int', value => (kindOf(value) === 'int' ? value : undefined)],
  ['uint', (value, text) => (kindOf(value) === 'int' || DIGITS.test(text) ? readUnsigned(BigInt(text)) : undefined)],
  ['double', (value, text) => (numberIn(value) === undefined ? undefined : boxDouble(Number(text)))],
  ['string', value => (typeof value === 'string' ? value : undefined)],
  ['bytes', value => (typeof value === 'string' ? decodeBase64(value) : undefined)],
  ['list', value => (kindOf(value) === 'list' ? value : undefined)],
  ['map', value => (kindOf(value) === 'map' ? value : undefined)],
  ['google.protobuf.Timestamp', value => (typeof value === 'string' ? stringToTimestamp(value) : undefined)],
  ['google.protobuf.Duration', value => (typeof value === 'string' ? stringToDuration(value) : undefined)],
]);

/** Integers beyond int, which are doubles without a type, may be uints. */
const DIGITS = /^\s*\d+\s*$/;

function readUnsigned(integer: bigint): Value | undefined {
  const uint = toUint64(integer);
  return uint instanceof EvaluationError ? undefined : new CelUint(uint);
}

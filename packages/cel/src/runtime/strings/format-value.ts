import { compareStrings } from '../../values/comparison.ts';
import { STRING_TOO_LONG } from '../../values/errors.ts';
import { kindOf, runtimeTypeOf } from '../../values/runtime-type.ts';
import { timestampToString } from '../../values/timestamp.ts';
import {
  type Duration,
  EvaluationError,
  NonValue,
  type Timestamp,
  type TypeValue,
  type Value,
} from '../../values/value.ts';
import { numberIn } from '../collections/equality.ts';
import { bytesToValidString } from '../conversion/to-string.ts';
import { fromHost } from '../host/from-host.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf } from '../host/map.ts';
import { shortestDecimal } from './format-number.ts';

/**
 * Returns what `%s` prints for a tagged value.
 *
 * @param room in UTF-16 units; a longer string is an error, detected before it is created
 */
export function formatValue(value: Value, room: number): string | NonValue {
  const text = textOf(value, room);
  return typeof text === 'string' && text.length > room ? STRING_TOO_LONG : text;
}

function textOf(value: Value, room: number): string | NonValue {
  switch (kindOf(value)) {
    case 'string':
      return value as string;
    case 'null':
    case 'bool':
      return `${value as null | boolean}`;
    case 'int':
    case 'uint':
      return `${numberIn(value)}`;
    case 'double':
      return shortestDecimal(numberIn(value) as number);
    case 'bytes':
      return bytesToValidString(value as Uint8Array);
    case 'timestamp':
      return timestampToString(value as Timestamp);
    case 'duration':
      return `${shortestDecimal(secondsOf(value as Duration))}s`;
    case 'type':
      return (value as TypeValue).name;
    case 'list': {
      const parts = formatParts(value as readonly unknown[], room);
      return parts instanceof NonValue ? parts : `[${parts.join(', ')}]`;
    }
    case 'map':
      return formatMap(value as MapValue, room);
    default:
      return unsuitable('%s', value);
  }
}

/** The extension formats a duration like a double in seconds. */
function secondsOf({ seconds, nanos }: Duration): number {
  return seconds + nanos / 1e9;
}

/** Entries are in the order of their formatted keys. */
function formatMap(map: MapValue, room: number): string | NonValue {
  const keys = formatParts(keysOf(map), room);
  if (keys instanceof NonValue) return keys;
  const values = formatParts(
    keysOf(map).map(key => lookUp(map, mapKeyOf(key)!)),
    room,
  );
  if (values instanceof NonValue) return values;
  const entries = keys.map((key, index) => [key, values[index]!] as const);
  entries.sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(entry => entry.join(': ')).join(', ')}}`;
}

function formatParts(values: readonly unknown[], room: number): readonly string[] | NonValue {
  const parts: string[] = [];
  let left = room;
  for (const element of values) {
    const value = fromHost(element);
    const text = value instanceof NonValue ? value : formatValue(value, left);
    if (typeof text !== 'string') return text;
    // At least one, so that a value with many references to the same part runs out of room.
    left -= text.length + 1;
    parts.push(text);
  }
  return parts;
}

/** @param clause such as `%d` */
export function unsuitable(clause: string, value: Value): EvaluationError {
  const type = runtimeTypeOf(value).name;
  return new EvaluationError('eval/invalid-format', `\`${clause}\` cannot be used for a value of type ${type}`);
}

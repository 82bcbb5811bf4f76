// What `string.format` does: numbers and values by its directives.

import { STRING_TOO_LONG } from '../values/errors.ts';
import { compareStrings } from '../values/numbers.ts';
import { timestampToString } from '../values/time.ts';
import {
  type Duration,
  EvaluationError,
  kindOf,
  NonValue,
  runtimeTypeOf,
  type Timestamp,
  type TypeValue,
  type Value,
} from '../values/value.ts';
import type { RunContext } from './context.ts';
import { bytesToValidString } from './conversion.ts';
import { numberIn } from './equality.ts';
import { fromHost, keysOf, lookUp, type MapValue, mapKeyOf } from './host.ts';

const DEFAULT_PRECISION = 6;
/** More digits than any double has. */
export const MAX_PRECISION = 1100;

/** `%%`, or a clause with an optional precision. Groups are missing for a percent sign that starts neither. */
export const CLAUSE = /%(?:(%)|(?:\.(\d+))?([bdefosxX])|())/g;

/** `text.format(values)` ignores values without a clause. */
export function formatString(context: RunContext, text: string, values: readonly Value[]): string | NonValue {
  const { maxTextLength } = context.limits;
  let result = '';
  let end = 0;
  let used = 0;
  for (const match of text.matchAll(CLAUSE)) {
    const [clause, percent, precision, letter] = match;
    const piece = percent ?? formatClause(letter, precision, { values, index: used, room: maxTextLength });
    if (piece instanceof NonValue) return piece;
    if (percent === undefined) used++;
    result += text.slice(end, match.index) + piece;
    end = match.index + clause.length;
    if (result.length > maxTextLength) return STRING_TOO_LONG;
  }
  result += text.slice(end);
  return result.length > maxTextLength ? STRING_TOO_LONG : result;
}

interface Argument {
  readonly values: readonly unknown[];
  readonly index: number;
  readonly room: number;
}

function formatClause(letter: string | undefined, digits: string | undefined, argument: Argument): string | NonValue {
  const precision = digits === undefined ? DEFAULT_PRECISION : Number(digits);
  if (letter === undefined || precision > MAX_PRECISION) return INVALID_CLAUSE;
  if (argument.index >= argument.values.length) return MISSING_VALUE;
  const value = fromHost(argument.values[argument.index]);
  if (value instanceof NonValue) return value;
  if (letter === 's') return formatValue(value, argument.room);
  return formatNumber(letter, precision, value) ?? unsuitable(`%${letter}`, value);
}

const INVALID_CLAUSE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-format',
  'expected `%%`, or a clause such as `%s` or `%.2f`',
);

const MISSING_VALUE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-format',
  'the format has more clauses than values',
);

const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

function formatNumber(letter: string, precision: number, value: Value): string | undefined {
  const number = numberIn(value);
  const radix = RADIX[letter];
  if (radix !== undefined) return inRadix(letter, radix, value);
  if (number === undefined) return undefined;
  if (letter === 'f') return formatFixed(Number(number), precision);
  if (letter === 'e') return formatScientific(Number(number), precision);
  return kindOf(value) === 'double' ? shortestDecimal(number as number) : `${number}`;
}

function inRadix(letter: string, radix: number, value: Value): string | undefined {
  const text = digitsOf(radix, value);
  return letter === 'X' ? text?.toUpperCase() : text;
}

/** Formats integers; bools in binary; strings and bytes in hexadecimal, byte by byte. */
function digitsOf(radix: number, value: Value): string | undefined {
  const kind = kindOf(value);
  if (kind === 'int' || kind === 'uint') return numberIn(value)!.toString(radix);
  if (radix === 2 && kind === 'bool') return value ? '1' : '0';
  if (radix !== 16) return undefined;
  if (kind === 'string') return hex(new TextEncoder().encode(value as string));
  return kind === 'bytes' ? hex(value as Uint8Array) : undefined;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Formats with a fixed number of decimals, rounding halves of the exact value to even. Works for any precision and any double. */
function formatFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const digits = String(scaled(Math.abs(value), precision)).padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  return `${signOf(value)}${whole}${precision > 0 ? `.${digits.slice(-precision)}` : ''}`;
}

/** As `1.052033e+03`. */
function formatScientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  let exponent = size === 0 ? 0 : Number(size.toExponential().split('e')[1]);
  let digits = String(scaled(size, precision - exponent)).padEnd(precision + 1, '0');
  // Rounding up may have carried into another digit.
  if (digits.length > precision + 1) {
    digits = digits.slice(0, -1);
    exponent++;
  }
  const fraction = precision > 0 ? `.${digits.slice(1)}` : '';
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  return `${signOf(value)}${digits[0]}${fraction}e${power}`;
}

/** Returns the shortest digits that identify the double, without an exponent. */
function shortestDecimal(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  const point = 1 + Number(exponent);
  if (point <= 0) return `${signOf(value)}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${signOf(value)}${digits.padEnd(point, '0')}`;
  return `${signOf(value)}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : `${signOf(value)}Infinity`;
}

/** Returns the integer nearest to `value * 10 ** power`, computed exactly, with ties to even. */
function scaled(value: number, power: number): bigint {
  // Doubling and halving are exact, so this ends with an integer and a power of two.
  let mantissa = value;
  let exponent = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
  }
  const numerator = BigInt(mantissa) * 10n ** BigInt(Math.max(0, power));
  const denominator = 2n ** BigInt(exponent) * 10n ** BigInt(Math.max(0, -power));
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/**
 * Returns what `%s` prints for a tagged value.
 *
 * @param room in UTF-16 units; a longer string is an error, detected before it is created
 */
function formatValue(value: Value, room: number): string | NonValue {
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
function unsuitable(clause: string, value: Value): EvaluationError {
  const type = runtimeTypeOf(value).name;
  return new EvaluationError('eval/invalid-format', `\`${clause}\` cannot be used for a value of type ${type}`);
}

// Conversions between types, parts of timestamps, and base64.

import type { Integer } from '../ast/ast.ts';
import {
  DOUBLE_OVERFLOW,
  INT_OVERFLOW,
  INVALID_BASE64,
  INVALID_BOOL,
  INVALID_DOUBLE,
  INVALID_INT,
  INVALID_UINT,
  INVALID_UTF8,
  STRING_TOO_LONG,
  UINT_OVERFLOW,
} from '../values/errors.ts';
import { toInt64, toUint64 } from '../values/numbers.ts';
import { timeZoneOf } from '../values/time.ts';
import { type EvaluationError, NonValue, type Timestamp } from '../values/value.ts';
import type { RunContext } from './context.ts';

export function uintToInt(value: Integer): Integer | EvaluationError {
  return typeof value === 'number' ? value : toInt64(value);
}

export function intToUint(value: Integer): Integer | EvaluationError {
  return value < 0 ? UINT_OVERFLOW : value;
}

/** Excludes -2^63 itself, which a double cannot distinguish from its neighbors (the conformance suite's `double_int_min_range`). */
export function doubleToInt(value: number): Integer | EvaluationError {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return INT_OVERFLOW;
  return truncated(value);
}

export function doubleToUint(value: number): Integer | EvaluationError {
  if (!(value >= 0 && value < 2 ** 64)) return UINT_OVERFLOW;
  return truncated(value);
}

/** Truncates a double within the range of integers. */
function truncated(value: number): Integer {
  const whole = Math.trunc(value) + 0;
  return Number.isSafeInteger(whole) ? whole : BigInt(whole);
}

export function integerToDouble(value: Integer): number {
  return Number(value);
}

export function stringToInt(text: string): Integer | EvaluationError {
  if (!/^[+-]?\d+$/.test(text)) return INVALID_INT;
  const big = readDigits(text);
  return big === undefined ? INT_OVERFLOW : toInt64(big);
}

export function stringToUint(text: string): Integer | EvaluationError {
  if (!/^\d+$/.test(text)) return INVALID_UINT;
  const big = readDigits(text);
  return big === undefined ? UINT_OVERFLOW : toUint64(big);
}

/** Returns undefined for more digits than 64 bits need, because parsing a bigint is not linear in their number. */
function readDigits(text: string): bigint | undefined {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > 20) return undefined;
  const size = BigInt(digits);
  return text.startsWith('-') ? -size : size;
}

// `\d+\.?\d*` would be equivalent but takes quadratic time.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITY = /^[+-]?inf(?:inity)?$/i;

/** A number that becomes infinite by rounding is out of range; `inf` and `NaN` are valid spellings. */
export function stringToDouble(text: string): number | EvaluationError {
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : DOUBLE_OVERFLOW;
  }
  if (INFINITY.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return text.toLowerCase() === 'nan' ? Number.NaN : INVALID_DOUBLE;
}

/** Converts a bool, int or uint. */
export function scalarToString(value: boolean | number | bigint): string {
  return `${value}`;
}

/** Formats like the reference implementation: the shortest digits that identify the double, with an exponent below -4 and above 5. */
export function doubleToString(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power <= 5) return `${value}`;
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

export function stringToBytes(context: RunContext, text: string): Uint8Array | EvaluationError {
  const bytes = encoder.encode(text);
  return bytes.length > context.limits.maxTextLength ? STRING_TOO_LONG : bytes;
}

/** The decoder replaces invalid UTF-8 by U+FFFD; only then must the bytes be searched for a genuine U+FFFD. */
export function bytesToString(bytes: Uint8Array): string | EvaluationError {
  const text = decoder.decode(bytes);
  return text.includes('\uFFFD') && !spells(bytes, text) ? INVALID_UTF8 : text;
}

function spells(bytes: Uint8Array, text: string): boolean {
  const encoded = encoder.encode(text);
  return encoded.length === bytes.length && encoded.every((byte, index) => byte === bytes[index]);
}

/** Like {@link bytesToString}, with one U+FFFD for each run of invalid bytes. */
export function bytesToValidString(bytes: Uint8Array): string {
  const text = bytesToString(bytes);
  if (typeof text === 'string') return text;
  let [valid, at, isBroken] = ['', 0, false];
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) valid += decoder.decode(bytes.subarray(at, at + length));
    else if (!isBroken) valid += '\uFFFD';
    isBroken = length === 0;
    at += Math.max(1, length);
  }
  return valid;
}

/** Returns the length of the UTF-8 sequence at an offset, in bytes; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const sequence = bytes.subarray(at, at + length);
  return sequence.length === length && typeof bytesToString(sequence) === 'string' ? length : 0;
}

export function stringToBool(text: string): boolean | EvaluationError {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(?:0|f|F|false|FALSE|False)$/.test(text) ? false : INVALID_BOOL;
}

/** Reads a part of a date whose UTC fields are those of the requested time zone. */
type Part = (local: Date) => number;

function inUtc(timestamp: Timestamp, part: Part): number {
  return part(new Date(timestamp.seconds * 1000));
}

function inZone(context: RunContext, timestamp: Timestamp, zone: string, part: Part): number | EvaluationError {
  const offset = context.timeZones.get(zone, timeZoneOf);
  if (offset instanceof NonValue) return offset;
  return part(new Date((timestamp.seconds + offset(timestamp.seconds)) * 1000));
}

const year: Part = local => local.getUTCFullYear();
const month: Part = local => local.getUTCMonth();
const date: Part = local => local.getUTCDate();
const dayOfMonth: Part = local => local.getUTCDate() - 1;
const dayOfWeek: Part = local => local.getUTCDay();
const hours: Part = local => local.getUTCHours();
const minutes: Part = local => local.getUTCMinutes();
const seconds: Part = local => local.getUTCSeconds();

const dayOfYear: Part = local => {
  const newYear = new Date(local).setUTCMonth(0, 1);
  return Math.round((local.getTime() - newYear) / 86_400_000);
};

export function yearOf(timestamp: Timestamp): number {
  return inUtc(timestamp, year);
}

export function yearIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, year);
}

export function monthOf(timestamp: Timestamp): number {
  return inUtc(timestamp, month);
}

export function monthIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, month);
}

export function dayOfYearOf(timestamp: Timestamp): number {
  return inUtc(timestamp, dayOfYear);
}

export function dayOfYearIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, dayOfYear);
}

export function dayOfMonthOf(timestamp: Timestamp): number {
  return inUtc(timestamp, dayOfMonth);
}

export function dayOfMonthIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, dayOfMonth);
}

export function dateOf(timestamp: Timestamp): number {
  return inUtc(timestamp, date);
}

export function dateIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, date);
}

export function dayOfWeekOf(timestamp: Timestamp): number {
  return inUtc(timestamp, dayOfWeek);
}

export function dayOfWeekIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, dayOfWeek);
}

export function hoursOf(timestamp: Timestamp): number {
  return inUtc(timestamp, hours);
}

export function hoursIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, hours);
}

export function minutesOf(timestamp: Timestamp): number {
  return inUtc(timestamp, minutes);
}

export function minutesIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, minutes);
}

export function secondsOf(timestamp: Timestamp): number {
  return inUtc(timestamp, seconds);
}

export function secondsIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, seconds);
}

export function millisecondsOf(timestamp: Timestamp): number {
  return Math.floor(timestamp.nanos / 1e6);
}

export function millisecondsIn(context: RunContext, timestamp: Timestamp, zone: string): number | EvaluationError {
  return inZone(context, timestamp, zone, () => millisecondsOf(timestamp));
}

export function encodeBase64(context: RunContext, bytes: Uint8Array): string | EvaluationError {
  if (Math.ceil(bytes.length / 3) * 4 > context.limits.maxTextLength) return STRING_TOO_LONG;
  return base64Of(bytes);
}

/** Returns padded base64, for any length. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}

/** Uses `-` and `_` instead of `+` and `/` (RFC 4648, section 5). */
export function encodeBase64Url(context: RunContext, bytes: Uint8Array): string | EvaluationError {
  const text = encodeBase64(context, bytes);
  return typeof text === 'string' ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
}

/** One character at a time: V8 overflows its stack on patterns that repeat groups over millions of characters. */
const FOREIGN = /[^A-Za-z0-9+/]/;

export function decodeBase64Url(text: string): Uint8Array | EvaluationError {
  if (FOREIGN_TO_URLS.test(text)) return INVALID_BASE64;
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

const FOREIGN_TO_URLS = /[+/]/;

/** Accepts missing padding. `atob` alone would accept white space, and throws for other errors. */
export function decodeBase64(text: string): Uint8Array | EvaluationError {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.slice(0, text.length - padding);
  const isPadded = padding === 0 || text.length % 4 === 0;
  if (!isPadded || digits.length % 4 === 1 || FOREIGN.test(digits)) return INVALID_BASE64;
  const decoded = atob(digits);
  const bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
  return bytes;
}

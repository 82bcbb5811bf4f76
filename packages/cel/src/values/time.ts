// Timestamps, durations and time zones.

import type { Integer } from '../ast/ast.ts';
import {
  DURATION_OVERFLOW,
  HOST_TYPE,
  INVALID_DURATION,
  INVALID_TIME_ZONE,
  INVALID_TIMESTAMP,
  TIMESTAMP_OVERFLOW,
} from './errors.ts';
import { toInt64 } from './numbers.ts';
import { Duration, type EvaluationError, Timestamp } from './value.ts';

/** The limit of 2^63 nanoseconds (the conformance suite's `timestamp_range`), split into seconds and nanoseconds. */
const MAX_SECONDS = 9_223_372_036;
const MAX_NANOS = 854_775_807;

/** @param nanos any integer below 2^53 in magnitude, whatever the sign of `seconds` */
export function makeDuration(seconds: number, nanos: number): Duration | EvaluationError {
  const carried = Math.trunc(nanos / 1e9);
  const whole = seconds + carried;
  const rest = nanos - carried * 1e9;
  // Both parts must have the same sign.
  const borrow = whole > 0 && rest < 0 ? -1 : whole < 0 && rest > 0 ? 1 : 0;
  return inRange(whole + borrow, rest - borrow * 1e9 + 0);
}

function inRange(seconds: number, nanos: number): Duration | EvaluationError {
  const size = Math.abs(seconds);
  const least = nanos < 0 ? MAX_NANOS + 1 : MAX_NANOS;
  if (size < MAX_SECONDS || (size === MAX_SECONDS && Math.abs(nanos) <= least)) return new Duration(seconds, nanos);
  return DURATION_OVERFLOW;
}

const UNIT_NANOS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const DURATION_PATTERN = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const DURATION_PART = /[+-]?(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy;

/** Parses like the reference implementation; fractions of a nanosecond are truncated. */
export function stringToDuration(text: string): Duration | EvaluationError {
  if (/^[+-]?0$/.test(text)) return new Duration(0, 0);
  if (text.length > MAX_DURATION_LENGTH || !DURATION_PATTERN.test(text)) return INVALID_DURATION;
  let nanos = 0n;
  for (const [, whole, fraction = '', unit = ''] of text.matchAll(DURATION_PART)) {
    const scale = UNIT_NANOS[unit]!;
    nanos += BigInt(whole || 0) * scale + (BigInt(fraction || 0) * scale) / 10n ** BigInt(fraction.length);
  }
  return durationOfNanos(text.startsWith('-') ? -nanos : nanos);
}

/** Parsing a bigint is not linear, and no duration in range needs nearly as many digits. */
const MAX_DURATION_LENGTH = 1000;

function durationOfNanos(nanos: bigint): Duration | EvaluationError {
  return makeDuration(Number(nanos / 1_000_000_000n), Number(nanos % 1_000_000_000n));
}

export function addDuration(a: Duration, b: Duration): Duration | EvaluationError {
  return makeDuration(a.seconds + b.seconds, a.nanos + b.nanos);
}

export function subtractDuration(a: Duration, b: Duration): Duration | EvaluationError {
  return makeDuration(a.seconds - b.seconds, a.nanos - b.nanos);
}

export function addDurationToTimestamp(timestamp: Timestamp, duration: Duration): Timestamp | EvaluationError {
  return makeTimestamp(timestamp.seconds + duration.seconds, timestamp.nanos + duration.nanos);
}

export function addTimestampToDuration(duration: Duration, timestamp: Timestamp): Timestamp | EvaluationError {
  return addDurationToTimestamp(timestamp, duration);
}

export function subtractDurationFromTimestamp(timestamp: Timestamp, duration: Duration): Timestamp | EvaluationError {
  return makeTimestamp(timestamp.seconds - duration.seconds, timestamp.nanos - duration.nanos);
}

export function subtractTimestamps(a: Timestamp, b: Timestamp): Duration | EvaluationError {
  return makeDuration(a.seconds - b.seconds, a.nanos - b.nanos);
}

export function durationToInt(duration: Duration): Integer | EvaluationError {
  return toInt64(BigInt(duration.seconds) * 1_000_000_000n + BigInt(duration.nanos));
}

/** Returns seconds with as many decimals as needed: `-1.5s`. */
export function durationToString(duration: Duration): string {
  const { seconds, nanos } = duration;
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  return `${sign}${Math.abs(seconds)}${fractionDigits(Math.abs(nanos))}s`;
}

export function hoursOfDuration(duration: Duration): number {
  return wholeUnits(duration, 3600);
}

export function minutesOfDuration(duration: Duration): number {
  return wholeUnits(duration, 60);
}

export function secondsOfDuration(duration: Duration): number {
  return duration.seconds;
}

/** Returns the part below a second, unlike the functions for other units (the conformance suite's `get_milliseconds`). */
export function millisecondsOfDuration(duration: Duration): number {
  return Math.trunc(duration.nanos / 1e6) + 0;
}

function wholeUnits(duration: Duration, secondsInUnit: number): number {
  return Math.trunc(duration.seconds / secondsInUnit) + 0;
}

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z (google/protobuf/timestamp.proto). */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** @param nanos any integer below 2^53 in magnitude; whole seconds are carried over */
export function makeTimestamp(seconds: number, nanos: number): Timestamp | EvaluationError {
  const carried = Math.floor(nanos / 1e9);
  const whole = seconds + carried;
  if (!(whole >= FIRST_SECOND && whole <= LAST_SECOND)) return TIMESTAMP_OVERFLOW;
  return new Timestamp(whole, nanos - carried * 1e9);
}

export function timestampOfDate(date: Date): Timestamp | EvaluationError {
  const ms = date.getTime();
  const seconds = Math.floor(ms / 1000);
  const result = makeTimestamp(seconds, (ms - seconds * 1000) * 1e6);
  return result instanceof Timestamp ? result : HOST_TYPE;
}

const RFC_3339 =
  /^\d{4}-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Digits beyond nanoseconds are truncated. */
export function stringToTimestamp(text: string): Timestamp | EvaluationError {
  const match = RFC_3339.exec(text);
  if (match === null) return INVALID_TIMESTAMP;
  const [, , day, fraction = '', sign, hours, minutes] = match;
  const date = new Date(`${text.slice(0, 19)}Z`);
  // `Date` takes the 31st of a shorter month for a day of the next one.
  if (date.getUTCDate() !== Number(day)) return INVALID_TIMESTAMP;
  const offset = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60);
  return makeTimestamp(date.getTime() / 1000 - offset, Number(fraction.slice(0, 9).padEnd(9, '0')));
}

export function intToTimestamp(seconds: Integer): Timestamp | EvaluationError {
  return typeof seconds === 'number' ? makeTimestamp(seconds, 0) : TIMESTAMP_OVERFLOW;
}

export function timestampToInt(timestamp: Timestamp): Integer {
  return timestamp.seconds;
}

/** Returns RFC 3339 in UTC, with as many decimals as needed. */
export function timestampToString(timestamp: Timestamp): string {
  const date = new Date(timestamp.seconds * 1000).toISOString().slice(0, 19);
  return `${date}${fractionDigits(timestamp.nanos)}Z`;
}

/** Returns `.5` for 500,000,000 nanoseconds, and nothing for 0. */
export function fractionDigits(nanos: number): string {
  return nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
}

/** Returns the offset from UTC in seconds, positive to the east, at a time in seconds since 1970. */
export type TimeZone = (seconds: number) => number;

/** Returns a time zone by IANA name, or by an offset such as `+05:30`, `-8:00` or `02:00`. */
export function timeZoneOf(name: string): TimeZone | EvaluationError {
  const fixed = /^([+-]?)(\d?\d):([0-5]\d)$/.exec(name);
  if (fixed === null) return namedZone(name);
  const [, sign, hours, minutes] = fixed;
  const offset = Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60);
  return Math.abs(offset) < 86_400 ? () => offset : INVALID_TIME_ZONE;
}

function namedZone(name: string): TimeZone | EvaluationError {
  const format = zoneFormat(name);
  return format === undefined ? INVALID_TIME_ZONE : seconds => offsetIn(format.format(seconds * 1000));
}

/** Returns undefined for an unknown name, which only an attempt reveals. Unlike `Intl`, CEL is case-sensitive. */
function zoneFormat(name: string): Intl.DateTimeFormat | undefined {
  if (!CAPITALIZED.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    const found = format.resolvedOptions().timeZone;
    return found !== name && found.toLowerCase() === name.toLowerCase() ? undefined : format;
  } catch {
    return undefined;
  }
}

/** An alias is resolved to another name, which does not reveal the correct case. */
const CAPITALIZED = /^[A-Z]/;

/** Returns the offset in a string such as `1/1/1900, GMT-07:52:58`, which is just `GMT` for UTC. */
function offsetIn(text: string): number {
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = 0] = match;
  return Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

import type { Integer } from '../ast/ast.ts';
import { DURATION_OVERFLOW, INVALID_DURATION } from './errors.ts';
import { toInt64 } from './integer.ts';
import { fractionDigits, makeTimestamp } from './timestamp.ts';
import { Duration, type EvaluationError, type Timestamp } from './value.ts';

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

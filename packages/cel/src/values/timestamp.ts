import type { Integer } from '../ast/ast.ts';
import { HOST_TYPE, INVALID_TIMESTAMP, TIMESTAMP_OVERFLOW } from './errors.ts';
import { type EvaluationError, Timestamp } from './value.ts';

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

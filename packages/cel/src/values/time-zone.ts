import { INVALID_TIME_ZONE } from './errors.ts';
import type { EvaluationError } from './value.ts';

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

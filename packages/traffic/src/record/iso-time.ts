/**
 * Reads `2026-11-21T10:00:00Z`, also with milliseconds, as ms since 1970-01-01T00:00:00Z; undefined for all else that `Date.parse` knows. A
 * fifth of its time: every exchange of a replay is asked for it.
 */
export function readIsoTime(text: string): number | undefined {
  const { length } = text;
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== LETTER_Z) return undefined;
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return undefined;
  if (length === 24 && text[19] !== '.') return undefined;
  const [year, month, day] = [number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)];
  const [hour, minute, second] = [number(text, 11, 13), number(text, 14, 16), number(text, 17, 19)];
  const ms = length === 24 ? number(text, 20, 23) : 0;
  const isDate = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= DAYS_OF_ALL_MONTHS;
  const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60 && ms >= 0;
  return isDate && isTime ? Date.UTC(year, month - 1, day, hour, minute, second, ms) : undefined;
}

const LETTER_Z = 0x5a;
/** Later days are left to those who know the months. */
const DAYS_OF_ALL_MONTHS = 28;

/** A number of digits only; less than 0 for all else. */
function number(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return Number.NEGATIVE_INFINITY;
    value = value * 10 + digit;
  }
  return value;
}

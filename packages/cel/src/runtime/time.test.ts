import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import {
  DURATION_OVERFLOW,
  INVALID_DURATION,
  INVALID_TIME_ZONE,
  INVALID_TIMESTAMP,
  TIMESTAMP_OVERFLOW,
} from '../values/errors.ts';
import * as duration from '../values/time.ts';
import * as timestamp from '../values/time.ts';
import { timeZoneOf } from '../values/time.ts';
import { Duration, type EvaluationError, Timestamp } from '../values/value.ts';
import { createRunContext } from './context.ts';
import * as parts from './conversion.ts';

const at = (text: string) => timestamp.stringToTimestamp(text) as Timestamp;
const span = (text: string) => duration.stringToDuration(text) as Duration;

describe('timestamp()', () => {
  test.each<[string, Timestamp | EvaluationError]>([
    ['1970-01-01T00:00:00Z', new Timestamp(0, 0)],
    ['2009-02-13T23:31:30.123456789Z', new Timestamp(1234567890, 123456789)],
    ['2009-02-13T23:31:30.1234567899Z', new Timestamp(1234567890, 123456789)],
    ['1969-12-31T23:59:59.5Z', new Timestamp(-1, 500_000_000)],
    ['2026-01-01T01:30:00+01:30', new Timestamp(1767225600, 0)],
    ['2025-12-31T23:00:00-01:00', new Timestamp(1767225600, 0)],
    ['0001-01-01T00:00:00Z', new Timestamp(-62135596800, 0)],
    ['9999-12-31T23:59:59.999999999Z', new Timestamp(253402300799, 999999999)],
    ['0001-01-01T00:00:00+00:01', TIMESTAMP_OVERFLOW],
    ['9999-12-31T23:59:59-00:01', TIMESTAMP_OVERFLOW],
    ['0000-01-01T00:00:00Z', TIMESTAMP_OVERFLOW],
    ['2024-02-29T00:00:00Z', new Timestamp(1709164800, 0)],
    ['2023-02-29T00:00:00Z', INVALID_TIMESTAMP],
    ['2023-13-01T00:00:00Z', INVALID_TIMESTAMP],
    ['2023-00-01T00:00:00Z', INVALID_TIMESTAMP],
    ['2023-01-01T24:00:00Z', INVALID_TIMESTAMP],
    ['2023-01-01T00:00:60Z', INVALID_TIMESTAMP],
    ['2023-01-01T00:00:00', INVALID_TIMESTAMP],
    ['2023-01-01 00:00:00Z', INVALID_TIMESTAMP],
    ['10000-01-01T00:00:00Z', INVALID_TIMESTAMP],
    ['', INVALID_TIMESTAMP],
  ])('of %o', (text, expected) => {
    expect(timestamp.stringToTimestamp(text)).toEqual(expected);
  });

  test('of seconds is an error before year 1 and after year 9999', () => {
    expect(timestamp.intToTimestamp(-62135596800)).toEqual(new Timestamp(-62135596800, 0));
    expect(timestamp.intToTimestamp(-62135596801)).toBe(TIMESTAMP_OVERFLOW);
    expect(timestamp.intToTimestamp(253402300800)).toBe(TIMESTAMP_OVERFLOW);
    expect(timestamp.intToTimestamp(2n ** 62n)).toBe(TIMESTAMP_OVERFLOW);
  });

  test.each([
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59.5Z',
    '9999-12-31T23:59:59.999999999Z',
    '2026-01-01T00:00:00.00000001Z',
  ])('and string() are inverse for %s', text => {
    expect(timestamp.timestampToString(at(text))).toBe(text);
  });
});

describe('duration()', () => {
  test.each<[string, Duration | EvaluationError]>([
    ['0', new Duration(0, 0)],
    ['1h30m', new Duration(5400, 0)],
    ['-1.5s', new Duration(-1, -500_000_000)],
    ['+.5m', new Duration(30, 0)],
    ['1.s', new Duration(1, 0)],
    ['1us1µs1μs', new Duration(0, 3000)],
    ['0.4ns', new Duration(0, 0)],
    ['9223372036.854775807s', new Duration(9223372036, 854775807)],
    ['9223372036.854775808s', DURATION_OVERFLOW],
    ['-9223372036.854775808s', new Duration(-9223372036, -854775808)],
    ['-9223372036.854775809s', DURATION_OVERFLOW],
    ['320000000000s', DURATION_OVERFLOW],
    [`${'9'.repeat(2000)}s`, INVALID_DURATION],
    ['', INVALID_DURATION],
    ['s', INVALID_DURATION],
    ['1', INVALID_DURATION],
    ['.s', INVALID_DURATION],
    ['1s-1s', INVALID_DURATION],
    ['1d', INVALID_DURATION],
  ])('of %o', (text, expected) => {
    expect(duration.stringToDuration(text)).toEqual(expected);
  });

  test.each([
    ['1m30s', '90s'],
    ['-1.5s', '-1.5s'],
    ['-500ms', '-0.5s'],
    ['1ns', '0.000000001s'],
    ['0', '0s'],
  ])('and string() of %s', (text, expected) => {
    expect(duration.durationToString(span(text))).toBe(expected);
  });

  test('has parts', () => {
    const parts = [
      duration.hoursOfDuration,
      duration.minutesOfDuration,
      duration.secondsOfDuration,
      duration.millisecondsOfDuration,
    ];
    expect(parts.map(part => part(span('10000.5s')))).toEqual([2, 166, 10000, 500]);
    expect(parts.map(part => part(span('-10000.5s')))).toEqual([-2, -166, -10000, -500]);
    expect(parts.map(part => part(span('-1us')))).toEqual([0, 0, 0, 0]);
  });
});

describe('arithmetic on times', () => {
  test('carries nanoseconds either way', () => {
    const start = at('0001-01-01T00:00:01.000000001Z');
    expect(duration.addDurationToTimestamp(start, span('-999999999ns'))).toEqual(at('0001-01-01T00:00:00.000000002Z'));
    expect(duration.subtractDurationFromTimestamp(start, span('2ns'))).toEqual(at('0001-01-01T00:00:00.999999999Z'));
    expect(duration.subtractTimestamps(at('1970-01-01T00:00:01Z'), at('1970-01-01T00:00:02.5Z'))).toEqual(
      new Duration(-1, -500_000_000),
    );
    expect(duration.subtractDuration(span('1s'), span('1.5s'))).toEqual(new Duration(0, -500_000_000));
    expect(duration.addDuration(span('-1s'), span('0.25s'))).toEqual(new Duration(0, -750_000_000));
  });

  test('ends at the bounds', () => {
    const [first, last] = [at('0001-01-01T00:00:00Z'), at('9999-12-31T23:59:59.999999999Z')];
    expect(duration.addDurationToTimestamp(first, span('-1ns'))).toBe(TIMESTAMP_OVERFLOW);
    expect(duration.addTimestampToDuration(span('1ns'), last)).toBe(TIMESTAMP_OVERFLOW);
    expect(duration.subtractTimestamps(last, first)).toBe(DURATION_OVERFLOW);
    expect(duration.addDuration(span('9223372036s'), span('1s'))).toBe(DURATION_OVERFLOW);
  });
});

describe('parts of a timestamp', () => {
  const context = createRunContext(DEFAULT_LIMITS);
  const moment = at('2009-02-13T23:31:30.123Z');

  test('in UTC', () => {
    const all = [parts.yearOf, parts.monthOf, parts.dayOfYearOf, parts.dayOfMonthOf, parts.dateOf, parts.dayOfWeekOf];
    const clock = [parts.hoursOf, parts.minutesOf, parts.secondsOf, parts.millisecondsOf];
    expect([...all, ...clock].map(part => part(moment))).toEqual([2009, 1, 43, 12, 13, 5, 23, 31, 30, 123]);
    expect(all.map(part => part(at('0001-12-31T00:00:00Z')))).toEqual([1, 11, 364, 30, 31, 1]);
    expect(parts.millisecondsOf(at('1969-12-31T23:59:59.9999Z'))).toBe(999);
  });

  test('in time zones', () => {
    expect(parts.dateIn(context, moment, 'Australia/Sydney')).toBe(14);
    expect(parts.dayOfMonthIn(context, moment, '+11:00')).toBe(13);
    expect(parts.dayOfMonthIn(context, at('2009-02-13T02:00:00Z'), '-02:30')).toBe(11);
    expect(parts.hoursIn(context, moment, '02:00')).toBe(1);
    expect(parts.minutesIn(context, moment, 'Asia/Kathmandu')).toBe(16);
    expect(parts.secondsIn(context, moment, '-00:00')).toBe(30);
    expect(parts.dayOfYearIn(context, moment, 'US/Central')).toBe(43);
    expect(parts.dayOfWeekIn(context, moment, 'UTC')).toBe(5);
    expect(parts.monthIn(context, moment, '-09:30')).toBe(1);
    expect(parts.yearIn(context, at('0001-01-01T00:00:00Z'), '-01:00')).toBe(0);
    expect(parts.millisecondsIn(context, moment, 'Europe/Paris')).toBe(123);
  });

  test('follow daylight saving and historical offsets', () => {
    const zone = timeZoneOf('America/Los_Angeles');
    if (typeof zone !== 'function') throw zone;
    const moments = ['1880-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-07-01T00:00:00Z'];
    expect(moments.map(text => zone(at(text).seconds))).toEqual([-28378, -28800, -25200]);
  });

  test.each(['', 'Nowhere/Town', '25:00', '1:2', '+5', 'GMT+25', 'europe/paris', 'EUROPE/PARIS', 'us/central', 'utc'])(
    'in the zone %o are an error',
    zone => {
      expect(parts.hoursIn(context, moment, zone)).toBe(INVALID_TIME_ZONE);
    },
  );
});

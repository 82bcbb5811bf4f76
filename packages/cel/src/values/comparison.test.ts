import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareBytes,
  compareStrings,
  compareTimes,
  greaterOrEqual,
  greaterThan,
  lessOrEqual,
  lessThan,
  sameNumber,
} from './comparison.ts';
import { Duration } from './value.ts';

describe('order', () => {
  test.each<[string, string, number]>([
    ['', '', 0],
    ['', 'a', -1],
    ['b', 'a', 1],
    ['ab', 'a', 1],
    ['\uFFFF', '😀', -1],
    ['\uE000', '\u{10FFFF}', -1],
    ['😀a', '😀b', -1],
    ['\uD7FF', '\uE000', -1],
    [`${'a'.repeat(20)}\uFFFF`, `${'a'.repeat(20)}😀`, -1],
    [`${'a'.repeat(20)}b`, `${'a'.repeat(20)}a`, 1],
    ['a'.repeat(20), 'a'.repeat(20), 0],
    ['a'.repeat(20), 'a'.repeat(21), -1],
  ])('of %o and %o by code points is %d', (a, b, sign) => {
    expect([Math.sign(compareStrings(a, b)), Math.sign(compareStrings(b, a))]).toEqual([sign, 0 - sign]);
  });

  test('of strings is that of their UTF-8 bytes', () => {
    const encoder = new TextEncoder();
    const unicode = fc.string({ unit: 'binary', maxLength: 4 });
    fc.assert(
      fc.property(unicode, unicode, (a, b) => {
        expect(Math.sign(compareStrings(a, b))).toBe(Math.sign(compareBytes(encoder.encode(a), encoder.encode(b))));
      }),
    );
  });

  test.each<[number | bigint, number | bigint, number]>([
    [1, 2n ** 63n, -1],
    [Number.MAX_SAFE_INTEGER, 2n ** 53n, -1],
    [2n ** 63n - 1n, 2n ** 63n - 2n, 1],
    [2n ** 63n - 1n, 2 ** 63, 0],
    [2n ** 63n - 1n, 2 ** 63 + 2048, -1],
    [-(2n ** 63n), -(2 ** 63) - 2048, 1],
    [2n ** 64n - 1n, 2 ** 64 + 40960, -1],
    [2, 2.5, -1],
  ])('of the numbers %s and %s is %d', (a, b, sign) => {
    expect([lessThan(a, b), sameNumber(a, b), greaterThan(a, b)]).toEqual([sign < 0, sign === 0, sign > 0]);
    expect([lessOrEqual(a, b), greaterOrEqual(a, b)]).toEqual([sign <= 0, sign >= 0]);
  });

  test('excludes NaN', () => {
    const all = [lessThan, lessOrEqual, greaterThan, greaterOrEqual];
    expect(all.map(compare => compare(1, Number.NaN))).toEqual([false, false, false, false]);
    expect(all.map(compare => compare(2n ** 60n, Number.NaN))).toEqual([false, false, false, false]);
  });

  test('of durations includes signed nanoseconds', () => {
    expect(compareTimes(new Duration(0, -1), new Duration(0, 1))).toBeLessThan(0);
    expect(compareTimes(new Duration(-1, -5), new Duration(-1, 0))).toBeLessThan(0);
  });
});

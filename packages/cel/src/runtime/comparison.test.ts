import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes, compareText, compareTimes, greaterOrEqual, lessOrEqual, lessThan } from './comparison.ts';
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
  ])('of %o and %o by code points is %d', (a, b, sign) => {
    expect([Math.sign(compareText(a, b)), Math.sign(compareText(b, a))]).toEqual([sign, 0 - sign]);
  });

  test('of strings is that of their UTF-8 bytes', () => {
    const encoder = new TextEncoder();
    const unicode = fc.string({ unit: 'binary', maxLength: 4 });
    fc.assert(
      fc.property(unicode, unicode, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Math.sign(compareBytes(encoder.encode(a), encoder.encode(b))));
      }),
    );
  });

  test('of numbers is exact across types, and NaN has no place in it', () => {
    expect(lessThan(2 ** 53, 2n ** 53n + 1n)).toBe(true);
    expect(lessThan(2n ** 63n - 1n, 2 ** 63)).toBe(true);
    expect(lessOrEqual(2n ** 60n, 2 ** 60)).toBe(true);
    expect([lessOrEqual(1, Number.NaN), greaterOrEqual(1, Number.NaN)]).toEqual([false, false]);
  });

  test('of durations counts the nanoseconds with their sign', () => {
    expect(compareTimes(new Duration(0, -1), new Duration(0, 1))).toBeLessThan(0);
    expect(compareTimes(new Duration(-1, -5), new Duration(-1, 0))).toBeLessThan(0);
  });
});

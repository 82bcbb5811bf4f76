import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Integer } from '../ast/ast.ts';
import { DIVISION_BY_ZERO, INT_OVERFLOW, MODULUS_BY_ZERO, UINT_OVERFLOW } from './errors.ts';
import {
  addInt,
  addUint,
  canonical,
  compareBytes,
  compareStrings,
  compareTimes,
  divideInt,
  divideUint,
  greaterOrEqual,
  greaterThan,
  lessOrEqual,
  lessThan,
  moduloInt,
  moduloUint,
  multiplyInt,
  multiplyUint,
  negateInt,
  sameNumber,
  subtractInt,
  subtractUint,
  toInt64,
} from './numbers.ts';
import { Duration, type EvaluationError } from './value.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const UMAX = 2n ** 64n - 1n;
const SAFE = Number.MAX_SAFE_INTEGER;

type Binary = (a: Integer, b: Integer) => Integer | EvaluationError;
type Case = readonly [Binary, Integer, Integer, Integer | EvaluationError];

const CASES: readonly Case[] = [
  [addInt, SAFE, 1, 2n ** 53n],
  [addInt, 2n ** 53n, -1, SAFE],
  [addInt, MAX, 1, INT_OVERFLOW],
  [addInt, MIN, MAX, -1],
  [subtractInt, MIN, 1, INT_OVERFLOW],
  [subtractInt, 0, MIN, INT_OVERFLOW],
  [subtractInt, -1, MIN, MAX],
  [multiplyInt, 0, -5, 0],
  [multiplyInt, 3037000500, 3037000500, INT_OVERFLOW],
  [multiplyInt, 94906267, 94906267, 9007199515875289n],
  [multiplyInt, MIN, -1, INT_OVERFLOW],
  [divideInt, -7, 2, -3],
  [divideInt, -1, 2, 0],
  [divideInt, MIN, -1, INT_OVERFLOW],
  [divideInt, MIN, 2, -(2n ** 62n)],
  [divideInt, 1, 0, DIVISION_BY_ZERO],
  [divideInt, MIN, 0, DIVISION_BY_ZERO],
  [moduloInt, -7, 2, -1],
  [moduloInt, -4, 2, 0],
  [moduloInt, MIN, -1, 0],
  [moduloInt, MIN, 10, -8],
  [moduloInt, 1, 0, MODULUS_BY_ZERO],
  [addUint, UMAX, 1, UINT_OVERFLOW],
  [addUint, SAFE, SAFE, 18014398509481982n],
  [subtractUint, 0, 1, UINT_OVERFLOW],
  [subtractUint, UMAX, UMAX, 0],
  [subtractUint, 2n ** 53n, 1, SAFE],
  [multiplyUint, (2n ** 32n) as Integer, (2n ** 32n) as Integer, UINT_OVERFLOW],
  [multiplyUint, UMAX, 1, UMAX],
  [divideUint, UMAX, 2, MAX],
  [divideUint, 1, 0, DIVISION_BY_ZERO],
  [moduloUint, UMAX, 10, 5],
  [moduloUint, 1, 0, MODULUS_BY_ZERO],
];

describe('64-bit arithmetic', () => {
  test.each(CASES)('%o of %s and %s is %s', (compute, a, b, expected) => {
    expect(compute(a, b)).toBe(expected);
  });

  test('the least int has no opposite, and there is no -0', () => {
    expect(negateInt(MIN)).toBe(INT_OVERFLOW);
    expect(negateInt(MAX)).toBe(-MAX);
    expect(negateInt(0)).toBe(0);
  });
});

describe('against arithmetic on bigints', () => {
  const near = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: MIN, max: MAX }),
    fc.constantFrom(MIN, MAX),
  );
  const exact: readonly (readonly [Binary, (a: bigint, b: bigint) => bigint])[] = [
    [addInt, (a, b) => a + b],
    [subtractInt, (a, b) => a - b],
    [multiplyInt, (a, b) => a * b],
    [divideInt, (a, b) => a / b],
    [moduloInt, (a, b) => a % b],
  ];
  test.each(exact)('%o is exact', (compute, computeExactly) => {
    fc.assert(
      fc.property(near, near, (x, y) => {
        const [a, b] = [BigInt(x), BigInt(y)];
        fc.pre(b !== 0n || (compute !== divideInt && compute !== moduloInt));
        expect(compute(canonical(a), canonical(b))).toBe(toInt64(computeExactly(a, b)));
      }),
    );
  });
});

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

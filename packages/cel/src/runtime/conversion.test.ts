import { describe, expect, test } from 'vitest';
import type { Integer } from '../ast/ast.ts';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import * as errors from '../values/errors.ts';
import type { EvaluationError } from '../values/value.ts';
import { createRunContext } from './context.ts';
import * as toNumber from './conversion.ts';
import { bytesToString, doubleToString, scalarToString, stringToBool, stringToBytes } from './conversion.ts';

const { INT_OVERFLOW, UINT_OVERFLOW, INVALID_INT, INVALID_UINT, INVALID_DOUBLE, DOUBLE_OVERFLOW } = errors;

describe('int()', () => {
  test.each<[number, Integer | EvaluationError]>([
    [1.9, 1],
    [-7.9, -7],
    [-0.5, 0],
    [2 ** 55, 2n ** 55n],
    [1e19, INT_OVERFLOW],
    [2 ** 63, INT_OVERFLOW],
    [-(2 ** 63), INT_OVERFLOW],
    [-(2 ** 63) + 1024, -(2n ** 63n) + 1024n],
    [Number.NaN, INT_OVERFLOW],
    [-Infinity, INT_OVERFLOW],
  ])('of the double %d', (value, expected) => {
    expect(toNumber.doubleToInt(value)).toBe(expected);
  });

  test.each<[string, Integer | EvaluationError]>([
    ['987', 987],
    ['+5', 5],
    ['-0', 0],
    ['000000000000000000000000000042', 42],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', INT_OVERFLOW],
    [`1${'0'.repeat(1000)}`, INT_OVERFLOW],
    ['', INVALID_INT],
    [' 1', INVALID_INT],
    ['1.0', INVALID_INT],
    ['0x10', INVALID_INT],
    ['1_000', INVALID_INT],
  ])('of the string %o', (value, expected) => {
    expect(toNumber.stringToInt(value)).toBe(expected);
  });

  test('of a uint is an error beyond 2^63 - 1', () => {
    expect(toNumber.uintToInt(2n ** 63n - 1n)).toBe(2n ** 63n - 1n);
    expect(toNumber.uintToInt(2n ** 63n)).toBe(INT_OVERFLOW);
  });
});

describe('uint()', () => {
  test.each<[number, Integer | EvaluationError]>([
    [25.5, 25],
    [2 ** 64 - 2048, 2n ** 64n - 2048n],
    [2 ** 64, UINT_OVERFLOW],
    [-1, UINT_OVERFLOW],
    [-0, 0],
    [Number.NaN, UINT_OVERFLOW],
  ])('of the double %d', (value, expected) => {
    expect(toNumber.doubleToUint(value)).toBe(expected);
  });

  test.each<[string, Integer | EvaluationError]>([
    ['300', 300],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['18446744073709551616', UINT_OVERFLOW],
    ['-1', INVALID_UINT],
    ['+1', INVALID_UINT],
    ['1u', INVALID_UINT],
  ])('of the string %o', (value, expected) => {
    expect(toNumber.stringToUint(value)).toBe(expected);
  });

  test('of a negative int is an error', () => {
    expect([toNumber.intToUint(-1), toNumber.intToUint(1)]).toEqual([UINT_OVERFLOW, 1]);
  });
});

describe('double()', () => {
  test.each<[string, number | EvaluationError]>([
    ['123', 123],
    ['-84.32e7', -84.32e7],
    ['.5', 0.5],
    ['5.', 5],
    ['-0.0', -0],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['NaN', Number.NaN],
    ['1e400', DOUBLE_OVERFLOW],
    ['', INVALID_DOUBLE],
    ['.', INVALID_DOUBLE],
    [' 1', INVALID_DOUBLE],
    ['0x10', INVALID_DOUBLE],
  ])('of the string %o', (value, expected) => {
    expect(toNumber.stringToDouble(value)).toBe(expected);
  });
});

test('double() of a million digits with an invalid end takes linear time', () => {
  expect(toNumber.stringToDouble(`${'1'.repeat(1_000_000)}x`)).toBe(INVALID_DOUBLE);
});

describe('string()', () => {
  test.each<[number, string]>([
    [123.456, '123.456'],
    [-4.5e-3, '-0.0045'],
    [1, '1'],
    [-0, '-0'],
    [999999, '999999'],
    [1e6, '1e+06'],
    [123456789, '1.23456789e+08'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [6.02214e23, '6.02214e+23'],
    [5e-324, '5e-324'],
    [Number.NaN, 'NaN'],
    [Infinity, '+Inf'],
    [-Infinity, '-Inf'],
  ])('of the double %d is %s', (value, expected) => {
    expect(doubleToString(value)).toBe(expected);
  });

  test('of integers and bools is their literal without a suffix', () => {
    expect([scalarToString(-(2n ** 63n)), scalarToString(7), scalarToString(true)]).toEqual([
      '-9223372036854775808',
      '7',
      'true',
    ]);
  });

  test.each<[number[], string | EvaluationError]>([
    [[0xc3, 0xbf], 'ÿ'],
    [[0xef, 0xbb, 0xbf, 0x61], '\uFEFFa'],
    [[0xef, 0xbf, 0xbd], '\uFFFD'],
    [[0x00, 0xff], errors.INVALID_UTF8],
    [[0xed, 0xa0, 0x80], errors.INVALID_UTF8],
    [[0xc0, 0x80], errors.INVALID_UTF8],
  ])('of the bytes %j', (bytes, expected) => {
    expect(bytesToString(new Uint8Array(bytes))).toBe(expected);
  });
});

test('bytes() of a string is limited', () => {
  const context = createRunContext({ ...DEFAULT_LIMITS, maxTextLength: 4 });
  expect(stringToBytes(context, 'ÿÿ')).toEqual(new Uint8Array([0xc3, 0xbf, 0xc3, 0xbf]));
  expect(stringToBytes(context, 'ÿÿÿ')).toBe(errors.STRING_TOO_LONG);
});

test('bool() accepts only the words of the specification', () => {
  const texts = ['1', 't', 'True', '0', 'FALSE', 'TrUe', 'yes', ''];
  expect(texts.map(stringToBool)).toEqual([true, true, true, false, false, ...Array(3).fill(errors.INVALID_BOOL)]);
});

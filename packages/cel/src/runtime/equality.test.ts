import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  IpAddress,
  Optional,
  Timestamp,
  TypeValue,
  type Value,
} from '../values/value.ts';
import { createRunContext } from './context.ts';
import { equals } from './equality.ts';

const ip = (...bytes: number[]) => new IpAddress(new Uint8Array(bytes));
const map = (...entries: [number | string | boolean, Value][]) => new CelMap(entries);

describe('equality', () => {
  const same: readonly (readonly [Value, Value])[] = [
    [1, new CelUint(1)],
    [1, new CelDouble(1)],
    [new CelUint(1), new CelDouble(1)],
    [0, new CelDouble(-0)],
    [2n ** 60n, new CelDouble(2 ** 60)],
    [2n ** 60n, 2 ** 60],
    [2n ** 63n - 1n, new CelDouble(2 ** 63)],
    [new CelUint(2n ** 63n), new CelDouble(2 ** 63)],
    [null, null],
    [
      [1, ['a']],
      [new CelDouble(1), ['a']],
    ],
    [map(['a', 1]), { a: 1 }],
    [map([1, 'x']), new Map([[1, 'x']])],
    [{ a: 1, b: undefined }, { a: 1 }],
    [new Uint8Array([1]), new Uint8Array([1])],
    [new Timestamp(1, 2), new Timestamp(1, 2)],
    [new Duration(1, 2), new Duration(1, 2)],
    [new TypeValue('int'), new TypeValue('int')],
    [new Optional(1), new Optional(new CelUint(1))],
    [new Optional(undefined), new Optional(undefined)],
    [ip(127, 0, 0, 1), ip(127, 0, 0, 1)],
    [new CidrRange(ip(10, 0, 0, 0), 8), new CidrRange(ip(10, 0, 0, 0), 8)],
  ];
  test.each(same)('%o equals %o, either way round', (a, b) => {
    expect([equals(createRunContext(DEFAULT_LIMITS), a, b), equals(createRunContext(DEFAULT_LIMITS), b, a)]).toEqual([
      true,
      true,
    ]);
  });

  const different: readonly (readonly [Value, Value])[] = [
    [Number.NaN, Number.NaN],
    [[Number.NaN], [Number.NaN]],
    [1, 1.5],
    [2n ** 53n + 1n, 2n ** 53n],
    [2n ** 53n + 3n, new CelDouble(2 ** 53)],
    [2n ** 53n, Number.MAX_SAFE_INTEGER],
    [1, '1'],
    [1, true],
    [0, null],
    [null, {}],
    [[], {}],
    [[], null],
    [[1], [1, 2]],
    [map(['a', 1]), { b: 1 }],
    [map([1, 'x']), { 1: 'x' }],
    [new Uint8Array([1]), [1]],
    [new Timestamp(1, 2), new Duration(1, 2)],
    [new Optional(undefined), new Optional(null)],
    [ip(0, 0, 0, 0), new Uint8Array(4)],
    [new CidrRange(ip(10, 0, 0, 0), 8), new CidrRange(ip(10, 0, 0, 0), 9)],
  ];
  test.each(different)('%o differs from %o, either way round', (a, b) => {
    expect([equals(createRunContext(DEFAULT_LIMITS), a, b), equals(createRunContext(DEFAULT_LIMITS), b, a)]).toEqual([
      false,
      false,
    ]);
  });

  test('an element that is NaN makes a list differ from itself', () => {
    const list = [Number.NaN];
    expect(equals(createRunContext(DEFAULT_LIMITS), list, list)).toBe(false);
  });

  test('dates of the host are timestamps inside lists', () => {
    expect(equals(createRunContext(DEFAULT_LIMITS), [new Date(1500) as never], [new Timestamp(1, 500_000_000)])).toBe(
      true,
    );
  });
});

describe('for any two values', () => {
  const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)));
  const scalar: fc.Arbitrary<Value> = fc.oneof(
    number.map(value => (typeof value === 'number' && Number.isInteger(value) ? value + 0 : value)),
    fc.double({ noInteger: false }).map(value => (Number.isInteger(value) ? new CelDouble(value) : value)),
    fc.nat(3).map(value => new CelUint(value)),
    fc.constantFrom<Value>(null, true, 'a', '', new Timestamp(0, 0), new Duration(0, 0), new TypeValue('int')),
  );
  const { value } = fc.letrec<{ value: Value }>(tie => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
      tie('value').map(inner => new Optional(inner)),
    ),
  }));

  test('equality is symmetric', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(equals(createRunContext(DEFAULT_LIMITS), a, b)).toBe(equals(createRunContext(DEFAULT_LIMITS), b, a));
      }),
    );
  });

  test('a copy is equal unless it contains a NaN', () => {
    fc.assert(
      fc.property(value, original => {
        const hasNaN = fc.stringify(original).includes('NaN');
        expect(equals(createRunContext(DEFAULT_LIMITS), original, structuredCopy(original))).toBe(!hasNaN);
      }),
    );
  });
});

function structuredCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (value instanceof Optional) return new Optional(structuredCopy(value.value!));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, structuredCopy(part as Value)]));
}

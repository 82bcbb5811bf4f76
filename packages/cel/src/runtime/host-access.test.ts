import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import { NESTED_TOO_DEEPLY } from '../values/errors.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  Duration,
  Optional,
  partialMap,
  Timestamp,
  TypeValue,
  Unknown,
  type Value,
} from '../values/value.ts';
import { createRunContext } from './context.ts';
import { equals } from './equality.ts';
import { nonValueIn, toHost, unknownWhole } from './host-access.ts';

test.each<[Value, unknown]>([
  [1, 1],
  [2n ** 60n, 2n ** 60n],
  [new CelUint(1), 1],
  [new CelDouble(1), 1],
  [0.5, 0.5],
  [null, null],
  [
    [new CelUint(1), [new CelDouble(2)]],
    [1, [2]],
  ],
  [new Timestamp(0, 5e8), '1970-01-01T00:00:00.5Z'],
  [new Duration(-1, -5e8), '-1.5s'],
  [new TypeValue('int'), 'int'],
  [new Optional(new CelUint(1)), 1],
  [new Optional(undefined), undefined],
  [new CelMap([['a', new CelUint(1)]]), { a: 1 }],
  [new CelMap([[1, 'a']]), new Map([[1, 'a']])],
  [{ a: new CelUint(1), b: undefined }, { a: 1 }],
  [new Uint8Array([1]), new Uint8Array([1])],
])('%o converts to %o', (value, expected) => {
  expect(toHost(value)).toEqual(expected);
});

test('a key named __proto__ is an ordinary key', () => {
  const plain = toHost(new CelMap([['__proto__', 1]])) as object;
  expect(Object.entries(plain)).toEqual([['__proto__', 1]]);
  expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
});

test('finds an unknown inside a value', () => {
  const partial = partialMap({ Host: 'a' }, 'req.Headers');
  const unknown = new Unknown(['x']);
  expect(unknownWhole(partial)).toEqual(new Unknown(['req.Headers']));
  expect([null, 'a', {}, [partial]].map(unknownWhole)).toEqual([undefined, undefined, undefined, undefined]);
  expect(nonValueIn(createRunContext(DEFAULT_LIMITS), [1, { a: new Optional(partial as never) }])).toEqual(
    new Unknown(['req.Headers']),
  );
  expect(nonValueIn(createRunContext(DEFAULT_LIMITS), new Map([['a', [unknown]]]))).toBe(unknown);
  expect(
    nonValueIn(createRunContext(DEFAULT_LIMITS), [1, { a: ['b', new Uint8Array(3)] }, new Timestamp(0, 0)]),
  ).toBeUndefined();
});

test('a value nested too deeply is an error, and any other one can be traversed recursively', () => {
  const nested = (depth: number) => JSON.parse(`${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`) as Value;
  expect(nonValueIn(createRunContext(DEFAULT_LIMITS), nested(100_000))).toBe(NESTED_TOO_DEEPLY);
  const cycle: unknown[] = [];
  cycle.push({ cycle });
  expect(nonValueIn(createRunContext(DEFAULT_LIMITS), cycle)).toBe(NESTED_TOO_DEEPLY);
  const [deep, same] = [nested(500), nested(500)];
  expect(nonValueIn(createRunContext(DEFAULT_LIMITS), deep)).toBeUndefined();
  expect(equals(createRunContext(DEFAULT_LIMITS), deep, same)).toBe(true);
  expect(toHost(deep)).toEqual(same);
});

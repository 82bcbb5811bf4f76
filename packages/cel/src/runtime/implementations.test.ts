import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Overload } from '../ast/ast.ts';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import type { Type } from '../ast/types.ts';
import { STANDARD_IMPLEMENTATIONS, STANDARD_LIBRARY } from '../library/standard.ts';
import { canonical } from '../values/numbers.ts';
import { makeDuration, makeTimestamp } from '../values/time.ts';
import { CelMap, CelUint, kindOf, NonValue, type Value } from '../values/value.ts';
import { createRunContext, type Implementation } from './context.ts';
import { boxDouble, hostReader } from './host.ts';
import * as regexSupport from './regex-support.ts';
import * as support from './support.ts';

/** Evaluated without a call, because only some operands are evaluated or errors are absorbed. */
const EVALUATORS_OWN = ['conditional', 'logical_and', 'logical_or', 'not_strictly_false'];

const overloads = STANDARD_LIBRARY.functions.flatMap(decl => decl.overloads);

test('implements exactly the declared overloads that evaluators do not implement', () => {
  const declared = overloads.map(overload => overload.id).filter(id => !EVALUATORS_OWN.includes(id));
  expect(Object.keys(STANDARD_IMPLEMENTATIONS).sort()).toEqual(declared.sort());
});

test('generated code imports every implementation under its name', () => {
  const exported = new Map<string, unknown>(Object.entries({ ...support, ...regexSupport }));
  const missing = Object.entries(STANDARD_IMPLEMENTATIONS).filter(([, { call }]) => exported.get(call.name) !== call);
  expect(missing.map(([id]) => id)).toEqual([]);
});

const edges = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)];
const int = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.integer());
const uint = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.nat(),
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    '1',
    '-9223372036854775809',
    '1e400',
    '1h',
    '-1.5s',
    'Europe/Paris',
    '+05:30',
    '2026-01-01T00:00:00Z',
  ),
);
const nanos = fc.integer({ min: 0, max: 999_999_999 });
const timestamp = fc
  .tuple(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), nanos)
  .map(([seconds, rest]) => makeTimestamp(seconds, rest) as Value);
const duration = fc
  .tuple(fc.integer({ min: -9_223_372_035, max: 9_223_372_035 }), nanos)
  .map(([seconds, rest]) => makeDuration(seconds, rest) as Value);

const SCALARS: Readonly<Partial<Record<Type['kind'], fc.Arbitrary<Value>>>> = {
  bool: fc.boolean(),
  int: int.map(value => canonical(BigInt(value))),
  uint: uint.map(value => canonical(BigInt(value))),
  double: fc.double(),
  string: text,
  bytes: fc.uint8Array({ maxLength: 6 }),
  timestamp,
  duration,
};

const tagged: fc.Arbitrary<Value> = fc.oneof(
  SCALARS.bool!,
  SCALARS.int!,
  SCALARS.uint!.map(value => new CelUint(value as number)),
  SCALARS.double!.map(value => boxDouble(value as number)),
  SCALARS.string!,
  SCALARS.bytes!,
  timestamp,
  duration,
  fc.constant(null),
);

function valuesOf(type: Type): fc.Arbitrary<Value> {
  if (type.kind === 'param') return tagged;
  if (type.kind === 'list') return fc.array(valuesOf(type.element), { maxLength: 4 });
  if (type.kind === 'map')
    return fc.array(fc.tuple(text, tagged), { maxLength: 4 }).map(entries => new CelMap(entries));
  return SCALARS[type.kind]!;
}

describe('for any arguments of its declared types', () => {
  test.each(overloads.filter(overload => overload.id in STANDARD_IMPLEMENTATIONS))(
    '$id gives a value of its result type or, unless it is total, an error',
    overload => {
      const implementation = STANDARD_IMPLEMENTATIONS[overload.id]!;
      fc.assert(
        fc.property(fc.tuple(...overload.params.map(valuesOf)), args => {
          const result = call(implementation, args);
          if (result instanceof NonValue) expect(implementation.total).toBe(false);
          else expectTyped(result, overload);
        }),
        { numRuns: 200 },
      );
    },
  );
});

function call({ call, needsContext }: Implementation, args: readonly Value[]): Value | NonValue {
  const run = call as (...all: unknown[]) => Value | NonValue;
  return needsContext ? run(createRunContext(DEFAULT_LIMITS), ...args) : run(...args);
}

function expectTyped(result: Value, { result: type }: Overload): void {
  expect(hostReader(type)(result)).toBe(result);
  const isInteger = type.kind === 'int' || type.kind === 'uint';
  if (!isInteger) return;
  expect(kindOf(result)).toBe('int');
  expect(Object.is(result, -0)).toBe(false);
  expect(typeof result).toBe(Number.isSafeInteger(Number(result)) ? 'number' : 'bigint');
}

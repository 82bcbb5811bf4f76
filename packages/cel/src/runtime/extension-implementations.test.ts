import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Overload } from '../ast/ast.ts';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import type { Type } from '../ast/types.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { CelMap, CelUint, Duration, NonValue, Optional, Timestamp, TypeValue, type Value } from '../values/value.ts';
import { createRunContext } from './context.ts';
import { boxDouble, hostReader } from './host.ts';
import { parseCidr, parseIp } from './network.ts';
import * as regexSupport from './regex-support.ts';
import * as support from './support.ts';

const EXTENSION_IMPLEMENTATIONS = Object.fromEntries(
  EXTENSION_LIBRARIES.filter(({ functions }) => functions.length > 0).flatMap(({ implementations = {} }) =>
    Object.entries(implementations),
  ),
);

const overloads = EXTENSION_LIBRARIES.flatMap(library => library.functions).flatMap(decl => decl.overloads);

test('implements exactly the declared overloads, except the one that evaluators implement', () => {
  const declared = overloads.map(({ id }) => id).filter(id => id !== 'cel_block_list');
  expect(Object.keys(EXTENSION_IMPLEMENTATIONS).sort()).toEqual(declared.sort());
});

test('generated code imports every implementation under its name', () => {
  const exported: Readonly<Record<string, unknown>> = { ...support, ...regexSupport };
  for (const { call, mixed } of Object.values(EXTENSION_IMPLEMENTATIONS)) {
    for (const one of mixed === undefined ? [call] : [call, mixed]) expect(exported[one.name], one.name).toBe(one);
  }
});

function run(id: string, args: readonly Value[]): Value | NonValue {
  const { call, needsContext } = EXTENSION_IMPLEMENTATIONS[id]!;
  const all = call as (...all: unknown[]) => Value | NonValue;
  return needsContext ? all(createRunContext(DEFAULT_LIMITS), ...args) : all(...args);
}

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;

const edges = [0n, 1n, -1n, 2n ** 53n, MAX, MIN];
const canonicalInt = fc
  .oneof(fc.constantFrom(...edges), fc.bigInt({ min: MIN, max: MAX }), fc.integer({ min: -3, max: 9 }))
  .map(value => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const uint = fc
  .oneof(fc.constantFrom(0n, MAX_UINT), fc.bigInt({ min: 0n, max: MAX_UINT }), fc.nat(9))
  .map(value => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('a', 'b', '😀', '\ude00', '%s', '%.2f', '%', '(a)', 'a*', '$1', '[', '10.0.0.1', '::1', '10.0.0.0/8'),
);
const ip = fc.constantFrom('10.0.0.1', '::1', 'fe80::1').map(source => parseIp(source)!);
const cidr = fc.constantFrom('10.0.0.1/9', '::/0', 'fe80::1/127').map(source => parseCidr(source)!);

const SCALARS: Readonly<Partial<Record<Type['kind'], fc.Arbitrary<Value>>>> = {
  bool: fc.boolean(),
  int: canonicalInt,
  uint,
  double: fc.double(),
  string: text,
  bytes: fc.uint8Array({ maxLength: 4 }),
  timestamp: fc.constantFrom(new Timestamp(0, 0), new Timestamp(1, 5)),
  duration: fc.constantFrom(new Duration(0, 0), new Duration(-1, -5)),
};

const tagged: fc.Arbitrary<Value> = fc.oneof(
  SCALARS.bool!,
  canonicalInt,
  uint.map(value => new CelUint(value)),
  fc.double().map(value => boxDouble(value)),
  text,
  fc.uint8Array({ maxLength: 4 }),
  fc.array(text, { maxLength: 2 }),
  fc.constantFrom<Value>(null, { a: 1 }, new Timestamp(0, 0), new TypeValue('int'), new Optional(1)),
  ip,
);

function valuesOf(type: Type): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'list':
      return fc.array(valuesOf(type.element), { maxLength: 4 });
    case 'map':
      return fc.array(fc.tuple(text, tagged), { maxLength: 4 }).map(entries => new CelMap(entries));
    case 'optional':
      return fc.option(valuesOf(type.value), { nil: undefined }).map(value => new Optional(value));
    case 'opaque':
      return type.name === 'net.IP' ? ip : cidr;
    default:
      return SCALARS[type.kind] ?? tagged;
  }
}

describe('for any arguments of its declared types', () => {
  test.each(overloads.filter(({ id }) => id in EXTENSION_IMPLEMENTATIONS))(
    '$id gives a value of its result type or, unless it is total, an error',
    overload => {
      fc.assert(
        fc.property(fc.tuple(...overload.params.map(valuesOf)), args => {
          const result = run(overload.id, args);
          if (result instanceof NonValue) expect(EXTENSION_IMPLEMENTATIONS[overload.id]!.total).toBe(false);
          else expectTyped(result, overload);
        }),
        { numRuns: 150 },
      );
    },
  );
});

function expectTyped(result: Value, { result: type }: Overload): void {
  expect(hostReader(type)(result)).toBe(result);
  if (type.kind === 'list')
    for (const element of result as readonly Value[])
      expect(hostReader(type.element)(element)).not.toBeInstanceOf(NonValue);
}

import { type Activation, EvaluationError, NonValue } from '@tollgate/cel';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import {
  activationOf,
  caseOf,
  compileBoth,
  type DifferentialCase,
  EVERYTHING,
  SHARED_WITH_BUFBUILD,
  SHARED_WITH_CEL_JS,
} from './case.ts';
import { disguise, obscure, withDecoys } from './data.ts';
import { runBufbuild, runCelJs, type Shown, showOurs, showOursExactly } from './engines.ts';
import type { Profile } from './expression.ts';
import { BUFBUILD_DEVIATIONS, CEL_JS_DEVIATIONS } from './known-deviations.ts';

/** For all properties together; set `TOLLGATE_DIFFERENTIAL_CASES=1000000` for more. */
const CASES = runs(300, 20_000, 'TOLLGATE_DIFFERENTIAL_CASES');

const SEED = seed(20_261_121, 'TOLLGATE_DIFFERENTIAL_SEED');

/** Includes the case in the assertion message. */
function expectSame({ source, data }: DifferentialCase, found: Shown, expected: Shown): void {
  expect({ source, data, outcome: found }).toEqual({ source, data, outcome: expected });
}

function forEachCase(profile: Profile, share: number, check: (one: DifferentialCase, take: fc.GeneratorValue) => void) {
  fc.assert(
    fc.property(fc.gen(), take => check(caseOf(take, profile), take)),
    { numRuns: Math.ceil(CASES * share), seed: SEED },
  );
}

describe('closures and generated code', () => {
  test('agree on every outcome, including the code and location of an error', () => {
    forEachCase(EVERYTHING, 0.25, one => {
      const { source, data } = one;
      const { closures, generated } = compileBoth(source);
      const activation = activationOf(data);
      expectSame(one, showOursExactly(generated.evaluate(activation)), showOursExactly(closures.evaluate(activation)));
    });
  });

  test('agree on the same data in every representation that a host may use', () => {
    forEachCase(EVERYTHING, 0.1, (one, take) => {
      const { source, data } = one;
      const { closures, generated } = compileBoth(source);
      const disguised = Object.fromEntries(
        Object.entries(activationOf(data)).map(([name, value]) => [name, disguise(value, take)]),
      );
      expectSame(one, showOursExactly(generated.evaluate(disguised)), showOursExactly(closures.evaluate(disguised)));
    });
  });

  test('read own properties only: an inherited one makes no difference', () => {
    forEachCase(EVERYTHING, 0.1, (one, take) => {
      const { source, data } = one;
      const { closures, generated } = compileBoth(source);
      const both = Object.entries(activationOf(data)).map(([name, value]) => [name, withDecoys(value, take)] as const);
      const bare = Object.fromEntries(both.map(([name, value]) => [name, value.bare])) as Activation;
      const decoyed = Object.fromEntries(both.map(([name, value]) => [name, value.decoyed])) as Activation;
      const expected = showOursExactly(closures.evaluate(bare));
      expectSame(one, showOursExactly(closures.evaluate(decoyed)), expected);
      expectSame(one, showOursExactly(generated.evaluate(decoyed)), expected);
    });
  });

  test('agree on plain data with programs that rely on its being plain', () => {
    forEachCase(EVERYTHING, 0.1, one => {
      const { source, data } = one;
      const exact = compileBoth(source).closures;
      const { closures, generated } = compileBoth(source, { plainData: true });
      const activation = activationOf(data);
      const expected = showOursExactly(exact.evaluate(activation));
      expectSame(one, showOursExactly(closures.evaluate(activation)), expected);
      expectSame(one, showOursExactly(generated.evaluate(activation)), expected);
    });
  });

  test('agree on exceeded budgets, sizes and lengths', () => {
    forEachCase(EVERYTHING, 0.1, (one, take) => {
      const { source, data } = one;
      const limits = { maxSteps: take(fc.nat, 20), maxCollectionSize: 4, maxTextLength: 12 };
      const { closures, generated } = compileBoth(source, { limits });
      const activation = activationOf(data);
      expectSame(one, showOursExactly(generated.evaluate(activation)), showOursExactly(closures.evaluate(activation)));
    });
  });

  test('agree on unknowns, and decisions without the missing data hold with it', () => {
    forEachCase(EVERYTHING, 0.2, (one, take) => {
      const { source, data } = one;
      const { closures, generated } = compileBoth(source);
      const full = activationOf(data);
      const partial = Object.fromEntries(
        Object.entries(full).map(([name, value]) => [name, obscure(value, name, take)]),
      );
      const outcome = closures.evaluate(partial);
      expectSame(one, showOursExactly(generated.evaluate(partial)), showOursExactly(outcome));
      if (outcome instanceof EvaluationError || !(outcome instanceof NonValue)) {
        expectSame(one, showOursExactly(closures.evaluate(full)), showOursExactly(outcome));
      }
    });
  });
});

describe('host data that is not of its declared type', () => {
  const ODD: readonly unknown[] = [
    null,
    1.5,
    Number.NaN,
    1n << 70n,
    'text',
    Symbol('s'),
    () => 1,
    [1, 'a', null, undefined, {}],
    [[1], ['x']],
    { a: 'x', b: null },
    Object.create({ a: 1 }),
    Object.create(null),
    new Map<unknown, unknown>([
      ['a', 1],
      [2, 'b'],
    ]),
    new Set([1]),
    new Date(Number.NaN),
    new Proxy({}, {}),
  ];

  test('never causes an exception', () => {
    forEachCase(EVERYTHING, 0.05, ({ source, data }, take) => {
      const { closures, generated } = compileBoth(source);
      const odd = Object.entries(activationOf(data)).map(([name, value]) => [
        name,
        ODD[take(fc.nat, 2 * ODD.length)] ?? value,
      ]);
      const activation = Object.fromEntries(odd) as Activation;
      expect(() => [closures.evaluate(activation), generated.evaluate(activation)]).not.toThrow();
    });
  });
});

describe('`@bufbuild/cel`', () => {
  test('agrees with both, errors included, except for its known deviations', () => {
    forEachCase(SHARED_WITH_BUFBUILD, 0.35, one => {
      const { source, data } = one;
      const { closures, generated } = compileBoth(source);
      const activation = activationOf(data);
      const theirs = runBufbuild(source, data);
      expectSame(one, showOurs(closures.evaluate(activation)), theirs);
      expectSame(one, showOurs(generated.evaluate(activation)), theirs);
    });
  });

  test.each(BUFBUILD_DEVIATIONS)('still deviates: $source ($rule)', ({ source, ours, theirs }) => {
    expect(showOurs(compileBoth(source).closures.evaluate({}))).toBe(ours);
    expect(runBufbuild(source, {})).toBe(theirs);
  });
});

describe('`cel-js`', () => {
  test('agrees with both on the subset where it follows the specification', () => {
    forEachCase(SHARED_WITH_CEL_JS, 0.1, one => {
      const { source, data } = one;
      const { closures, generated } = compileBoth(source);
      const activation = activationOf(data);
      const theirs = runCelJs(source, data);
      expectSame(one, showOurs(closures.evaluate(activation)), theirs);
      expectSame(one, showOurs(generated.evaluate(activation)), theirs);
    });
  });

  test.each(CEL_JS_DEVIATIONS)('still deviates: $source ($rule)', ({ source, ours, theirs }) => {
    expect(showOurs(compileBoth(source).closures.evaluate({}))).toBe(ours);
    expect(runCelJs(source, {})).toBe(theirs);
  });
});

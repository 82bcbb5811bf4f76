import { EDGE_V2 } from '@tollgate/catalog';
import { compileClosures } from '@tollgate/cel';
import { checkExpression, createPhaseEnvironments } from '@tollgate/policy';
import { decideParts, hasPart, momentsInYears } from '@tollgate/solver/engine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';

// Parts of moments are compared with what the evaluator says, and answers about several parts with many moments.

const CASES = runs(60, 5000, 'TOLLGATE_TIME_CASES');
const SEED = seed(20_261_127, 'TOLLGATE_TIME_SEED');

const PARTS = [
  ['month', 'getMonth', 12],
  ['day_of_month_1_based', 'getDate', 32],
  ['day_of_month', 'getDayOfMonth', 31],
  ['day_of_year', 'getDayOfYear', 366],
  ['day_of_week', 'getDayOfWeek', 7],
  ['hours', 'getHours', 24],
  ['minutes', 'getMinutes', 60],
  ['seconds', 'getSeconds', 60],
  ['milliseconds', 'getMilliseconds', 1000],
] as const;

const MINUTE = 60_000_000_000n;
const ZONES = [
  ['UTC', 0n],
  ['+02:00', 120n * MINUTE],
  ['-05:30', -330n * MINUTE],
  ['+13:00', 780n * MINUTE],
] as const;

const place = { endpoint: 'https-route', phase: 'inbound' } as const;
const environment = createPhaseEnvironments(EDGE_V2, place.endpoint)[place.phase];

function evaluated(source: string): unknown {
  const { typed } = checkExpression(source, { profile: EDGE_V2, place, environment });
  return compileClosures(typed!, environment).evaluate({});
}

function written(moment: bigint): string {
  return `timestamp('${new Date(Number(moment / 1_000_000n)).toISOString()}')`;
}

/** In whole milliseconds, around changes of years and days. */
const MOMENT = fc
  .oneof(
    fc.integer({ min: -60_000_000_000_000, max: 250_000_000_000_000 }),
    fc.constantFrom(0, -1, 951_782_400_000, 1_709_164_800_000, 1_735_689_599_999, 4_107_542_400_000),
  )
  .map(ms => BigInt(ms) * 1_000_000n);

it(`parts are what the evaluator reads (seed ${SEED})`, () => {
  fc.assert(
    fc.property(
      MOMENT,
      fc.constantFrom(...PARTS),
      fc.constantFrom(...ZONES),
      (moment, [part, method], [zone, offset]) => {
        const value = BigInt(evaluated(`${written(moment)}.${method}('${zone}')`) as number);
        expect({ part, holds: hasPart({ part, offset, set: [[value, value]] }, moment) }).toEqual({
          part,
          holds: true,
        });
        expect(hasPart({ part, offset, set: [[value + 1n, value + 5n]] }, moment)).toBe(false);
        const year = BigInt(evaluated(`${written(moment)}.getFullYear('${zone}')`) as number);
        const isIn = (set: ReturnType<typeof momentsInYears>) =>
          set.some(([from, to]) => from <= moment && moment <= to);
        expect([
          isIn(momentsInYears([[year, year]], offset)),
          isIn(momentsInYears([[year + 1n, year + 9n]], offset)),
        ]).toEqual([true, false]);
      },
    ),
    { numRuns: CASES, seed: SEED },
  );
});

const LITERAL = fc
  .record({
    at: fc.constantFrom(...PARTS),
    zone: fc.constantFrom(...ZONES),
    first: fc.nat(999),
    size: fc.nat(4),
    isNegated: fc.boolean(),
  })
  .map(({ at: [part, , count], zone: [, offset], first, size, isNegated }) => {
    // Some lie beyond what the part can be.
    const from = BigInt(first % (count + 3));
    return { part, offset, set: [[from, from + BigInt(size)] as const], isNegated };
  });

it(`answers about parts hold (seed ${SEED})`, () => {
  const counts = { value: 0, conflict: 0, unknown: 0 };
  fc.assert(
    fc.property(
      fc.array(LITERAL, { minLength: 1, maxLength: 5 }),
      MOMENT,
      MOMENT,
      fc.array(MOMENT, { minLength: 50 }),
      (literals, a, b, moments) => {
        const [first, last] = a < b ? [a, b] : [b, a];
        const answer = decideParts(literals, [[first, last]], 0n);
        counts[answer.kind]++;
        const holds = (moment: bigint) => literals.every(one => hasPart(one, moment) !== one.isNegated);
        if (answer.kind === 'value')
          expect(first <= answer.value && answer.value <= last && holds(answer.value)).toBe(true);
        if (answer.kind !== 'conflict') return;
        const wrong = moments.filter(moment => first <= moment && moment <= last && holds(moment));
        expect({ literals, wrong }).toEqual({ literals, wrong: [] });
      },
    ),
    { numRuns: CASES, seed: SEED },
  );
  expect(counts.value).toBeGreaterThan(0);
  expect(counts.conflict).toBeGreaterThan(0);
  // In several time zones at once.
  expect(counts.unknown).toBeLessThan(CASES / 50);
});

/** Every half hour: parts that are longer change at no other time, in any of the time zones. */
const STEP = 30n * MINUTE;

it(`finds a moment in a window if there is one (seed ${SEED})`, () => {
  const long = LITERAL.filter(({ part }) => !['minutes', 'seconds', 'milliseconds'].includes(part));
  fc.assert(
    fc.property(fc.array(long, { minLength: 1, maxLength: 4 }), MOMENT, fc.nat(60 * 48), (literals, from, steps) => {
      const first = (from / STEP) * STEP;
      const window = Array.from({ length: steps + 1 }, (_, at) => first + BigInt(at) * STEP);
      const exists = window.some(moment => literals.every(one => hasPart(one, moment) !== one.isNegated));
      const answer = decideParts(literals, [[first, window.at(-1)!]], 0n);
      expect({ literals, first, steps, kind: answer.kind }).toEqual({
        ...{ literals, first, steps },
        kind: exists ? 'value' : 'conflict',
      });
    }),
    { numRuns: CASES, seed: SEED },
  );
});

it.each([
  ['a thirteenth month', [['month', 12n]]],
  ['an eighth day of the week', [['day_of_week', 7n]]],
  ['a 32nd day of a month', [['day_of_month_1_based', 32n]]],
  [
    '30 February',
    [
      ['month', 1n],
      ['day_of_month_1_based', 30n],
    ],
  ],
  [
    'the last day of a leap year in November',
    [
      ['day_of_year', 365n],
      ['month', 10n],
    ],
  ],
] as const)('knows that there is never %s', (_, parts) => {
  const literals = parts.map(([part, value]) => ({
    part,
    offset: 0n,
    set: [[value, value]] as const,
    isNegated: false,
  }));
  expect(decideParts(literals, [[-(2n ** 80n), 2n ** 80n]], 0n).kind).toBe('conflict');
});

import { describe, expect, test } from 'vitest';
import { runs, seed } from '../../support/runs.ts';
import { caseOf, EVERYTHING } from '../case.ts';
import { obscure } from '../data.ts';
import { CALLABLES } from './calls.ts';
import {
  activationOf,
  type CallCase,
  callCase,
  casesOf,
  exactOutcomesOf,
  joinCase,
  outcomeOf,
  VARIABLES,
  withUnpairedSurrogates,
} from './cases.ts';
import { type Ask, classesOf, type DifferenceClass, unexcused } from './differences.ts';
import { openReference, type Question } from './driver.ts';
import { CEL_GO_DEVIATIONS, CEL_GO_TYPE_DEVIATIONS, type Difference } from './known-deviations.ts';

/** A few thousand if Go is available; set `TOLLGATE_CEL_GO_CASES=250000` for more. */
const CASES = runs(100, 3_000, 'TOLLGATE_CEL_GO_CASES');

/** Joins of types are many; set `TOLLGATE_CEL_GO_JOINS=20000` for more. */
const JOINS = runs(80, 20_000, 'TOLLGATE_CEL_GO_JOINS');

/** The same cases each time, unless `TOLLGATE_DIFFERENTIAL_SEED` is set. */
const SEED = seed(20_261_122, 'TOLLGATE_DIFFERENTIAL_SEED');

/** Questions are sent in portions, which bounds memory. */
const PORTION = 5000;

/** Returns one example of every class of differences. */
function classesFound(count: number, make: Parameters<typeof casesOf<Question>>[2]): readonly DifferenceClass[] {
  const found: Difference[] = [];
  for (let done = 0; done < count; done += PORTION) {
    const questions = casesOf(Math.min(PORTION, count - done), SEED + done, make);
    found.push(...unexcused(questions, ask));
  }
  return classesOf(found);
}

const reference = openReference(VARIABLES);
const ask: Ask = questions => (reference.isAvailable ? reference.ask(questions) : []);
const title = reference.isAvailable ? 'cel-go' : `cel-go, left out because ${reference.reason}`;

describe.skipIf(!reference.isAvailable)(title, () => {
  test(`agrees with all evaluators on calls of every overload, seed ${SEED}`, () => {
    expect(classesFound(Math.ceil(CASES * 0.75), callCase)).toEqual([]);
  });

  test(`agrees with all evaluators on expressions of the language, seed ${SEED}`, () => {
    // Go iterates over a map in random order.
    const profile = { ...EVERYTHING, without: new Set(['computedRange']) };
    expect(classesFound(Math.ceil(CASES * 0.25), take => caseOf(take, profile))).toEqual([]);
  });

  test(`agrees with all evaluators on joins of any types and on optionals, seed ${SEED}`, () => {
    expect(classesFound(JOINS, joinCase)).toEqual([]);
  });

  test.each(CEL_GO_DEVIATIONS)('still deviates: $source ($rule)', deviation => {
    const question = { source: deviation.source, data: {} };
    const [ours, [theirs]] = [outcomeOf(question), ask([question])];
    expect([ours.closures, theirs!.shown]).toEqual([deviation.ours, deviation.theirs]);
    expect(deviation.excuses({ ...question, ours, theirs: theirs! })).toBe(true);
  });

  test.each(CEL_GO_TYPE_DEVIATIONS)('still deviates in type: $source ($rule)', deviation => {
    const question = { source: deviation.source, data: {} };
    const [ours, [theirs]] = [outcomeOf(question), ask([question])];
    expect([ours.type, theirs!.type]).toEqual([deviation.ours, deviation.theirs]);
    expect(deviation.excuses({ ...question, ours, theirs: theirs! })).toBe(true);
  });
});

test('the generator calls every overload of every library', () => {
  const made = casesOf<CallCase>(CALLABLES.length, SEED, callCase);
  const called = new Set(made.map(({ overloadId }) => overloadId));
  expect(CALLABLES.map(({ overload }) => overload.id).filter(id => !called.has(id))).toEqual([]);
});

test('our evaluators agree on joins and optionals, with all data and with some of it unknown, including the code and location of an error', () => {
  let accepted = 0;
  casesOf(JOINS, SEED, take => {
    const { source, data } = joinCase(take);
    const full = activationOf(data);
    const partial = Object.entries(full).map(([name, value]) => [name, obscure(value, name, take)] as const);
    for (const activation of [full, Object.fromEntries(partial)]) {
      const outcomes = exactOutcomesOf(source, activation);
      if (outcomes === undefined) return;
      accepted += 1;
      expect({ source, activation, outcomes: [...new Set(outcomes)] }).toEqual({
        source,
        activation,
        outcomes: outcomes.slice(0, 1),
      });
    }
  });
  expect(accepted).toBeGreaterThan(JOINS / 2);
});

test('our evaluators agree on strings with unpaired surrogates, which Go does not have', () => {
  for (const question of casesOf(500, SEED, (take, index) => withUnpairedSurrogates(callCase(take, index)))) {
    const { closures, generated, folded } = outcomeOf(question);
    expect({ ...question, generated, folded }).toEqual({ ...question, generated: closures, folded: closures });
    expect(closures).not.toMatch(/^"?thrown/);
  }
});

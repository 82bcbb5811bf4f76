import { describe, expect, test } from 'vitest';
import { caseOf, EVERYTHING } from '../case.ts';
import { CALLABLES } from './calls.ts';
import { type CallCase, callCase, casesOf, outcomeOf, VARIABLES, withUnpairedSurrogates } from './cases.ts';
import { type Answer, openReference, type Question } from './driver.ts';
import { CEL_GO_DEVIATIONS } from './known-deviations.ts';

/** A few thousand where Go is there, hundreds of thousands by hand (`TOLLGATE_CEL_GO_CASES=250000`). */
const CASES = Number(process.env.TOLLGATE_CEL_GO_CASES ?? 3000);

/** The same cases each time, unless asked for others (`TOLLGATE_DIFFERENTIAL_SEED`). */
const SEED = Number(process.env.TOLLGATE_DIFFERENTIAL_SEED ?? 20_261_122);

const TIMEOUT = 120_000 + CASES * 20;

/** Answers are asked for in portions, which bounds memory. */
const PORTION = 5000;
const MOST_SHOWN = 20;

interface Difference extends Question {
  readonly ours: unknown;
  readonly theirs: unknown;
}

function differences(questions: readonly Question[], answers: readonly Answer[]): Difference[] {
  return questions.flatMap((question, index) => {
    const [ours, theirs] = [outcomeOf(question), answers[index]!];
    const isSame = [ours.closures, ours.generated, ours.folded].every(shown => shown === theirs.shown);
    const isTold = ours.closures === ours.generated && ours.closures === ours.folded;
    if (isSame || (isTold && CEL_GO_DEVIATIONS.some(({ excuses }) => excuses(question.source, ours, theirs))))
      return [];
    return [{ ...question, ours, theirs }];
  });
}

function differencesOf(count: number, make: Parameters<typeof casesOf<Question>>[2], ask: Ask): Difference[] {
  const found: Difference[] = [];
  for (let done = 0; done < count && found.length < MOST_SHOWN; done += PORTION) {
    const questions = casesOf(Math.min(PORTION, count - done), SEED + done, make);
    found.push(...differences(questions, ask(questions)));
  }
  return found.sort((a, b) => a.source.length - b.source.length).slice(0, MOST_SHOWN);
}

type Ask = (questions: readonly Question[]) => readonly Answer[];

const reference = openReference(VARIABLES);
const ask: Ask = questions => (reference.isAvailable ? reference.ask(questions) : []);
const title = reference.isAvailable ? 'cel-go' : `cel-go, left out because ${reference.reason}`;

describe.skipIf(!reference.isAvailable)(title, () => {
  test(
    `agrees with all evaluators on calls of every overload, seed ${SEED}`,
    () => {
      expect(differencesOf(Math.ceil(CASES * 0.75), callCase, ask)).toEqual([]);
    },
    TIMEOUT,
  );

  test(
    `agrees with all evaluators on expressions of the language, seed ${SEED}`,
    () => {
      // Go goes through a map in a random order.
      const profile = { ...EVERYTHING, without: new Set(['computedRange']) };
      expect(differencesOf(Math.ceil(CASES * 0.25), take => caseOf(take, profile), ask)).toEqual([]);
    },
    TIMEOUT,
  );

  test.each(CEL_GO_DEVIATIONS)('still deviates: $source ($rule)', deviation => {
    const question = { source: deviation.source, data: {} };
    const [ours, [theirs]] = [outcomeOf(question), ask([question])];
    expect([ours.closures, theirs!.shown]).toEqual([deviation.ours, deviation.theirs]);
    expect(deviation.excuses(deviation.source, ours, theirs!)).toBe(true);
  });
});

test('the generator calls every overload of every library', () => {
  const made = casesOf<CallCase>(CALLABLES.length, SEED, callCase);
  const called = new Set(made.map(({ overloadId }) => overloadId));
  expect(CALLABLES.map(({ overload }) => overload.id).filter(id => !called.has(id))).toEqual([]);
});

test('our evaluators agree on strings with unpaired surrogates, which other languages do not have', () => {
  for (const question of casesOf(500, SEED, (take, index) => withUnpairedSurrogates(callCase(take, index)))) {
    const { closures, generated, folded } = outcomeOf(question);
    expect({ ...question, generated, folded }).toEqual({ ...question, generated: closures, folded: closures });
    expect(closures).not.toMatch(/^"?thrown/);
  }
});

import { describe, expect, it } from 'vitest';
import { decideElements, type Elements, type ElementsLiteral } from './lists.ts';

/** Elements are sets of tests. More than three tests of one are too large a question. */
function countedElements(): Elements<readonly string[], string> & { readonly looks: () => number } {
  let looks = 0;
  return {
    looks: () => looks,
    negated: test => `not ${test}`,
    isTrue: (test, value) => {
      if (++looks > 100_000) throw new Error('too many looks');
      return value.includes(test);
    },
    decide: tests =>
      new Set(tests).size > 3 ? { kind: 'unknown', reason: 'too large' } : { kind: 'value', value: tests },
  };
}

const some = (test: string): ElementsLiteral<string> => ({ kind: 'some', test, isNegated: false });

describe('elements of a list that pass many tests', () => {
  it('are found where few tests are decided together', () => {
    const elements = countedElements();
    const wanted = Array.from({ length: 20 }, (_, at) => `t${at}`);
    const answer = decideElements(wanted.map(some), elements);
    if (answer.kind !== 'value') throw new Error(answer.kind);
    expect(wanted.filter(test => !answer.value.some(value => value.includes(test)))).toEqual([]);
    expect(elements.looks()).toBeLessThan(20_000);
  });

  it('stay open where there are too few places', () => {
    const one: ElementsLiteral<string> = { kind: 'size', set: [[1n, 2n]] };
    const wanted = Array.from({ length: 20 }, (_, at) => some(`t${at}`));
    expect(decideElements([one, ...wanted], countedElements())).toEqual({ kind: 'unknown', reason: 'too large' });
  });
});

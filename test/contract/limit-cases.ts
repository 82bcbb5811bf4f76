import type { Activation, Limits } from '@tollgate/cel';
import type { ContractCase, Expected } from './contract-case.ts';

const TEN = { ints: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] };

function limited(
  expression: string,
  limits: Partial<Limits>,
  expected: Expected,
  activation: Activation = TEN,
): ContractCase {
  return { expression, activation, limits, expected, note: JSON.stringify(limits) };
}

export const LIMITS: readonly ContractCase[] = [
  limited('ints.all(x, x > 0)', { maxSteps: 10 }, { value: true }),
  limited('ints.all(x, x > 0)', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.all(x, x > 0)' }),
  limited('ints.exists(x, x > 4)', { maxSteps: 5 }, { value: true }),
  limited('ints.map(x, x * 2).size()', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.map(x, x * 2)' }),
  limited('ints.map(x, x).map(x, x).size()', { maxSteps: 20 }, { value: 10 }),
  limited(
    'ints.map(x, x).map(x, x).size()',
    { maxSteps: 19 },
    { error: 'limit/steps', at: 'ints.map(x, x).map(x, x)' },
  ),
  limited('ints.all(x, ints.all(y, x > 0))', { maxSteps: 110 }, { value: true }),
  limited('ints.all(x, ints.all(y, x > 0))', { maxSteps: 109 }, { error: 'limit/steps', at: 'ints.all(y, x > 0)' }),
  limited('ints.filter(x, x > 5).size()', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.filter(x, x > 5)' }),
  limited('ints.exists_one(x, x == 5)', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.exists_one(x, x == 5)' }),
  limited('ints.map(x, x)', { maxCollectionSize: 9 }, { error: 'limit/collection-size', at: 'ints.map(x, x)' }),
  limited('ints + ints', { maxCollectionSize: 19 }, { error: 'limit/collection-size', at: 'ints + ints' }),
  limited('s + s', { maxTextLength: 5 }, { error: 'limit/text-length', at: 's + s' }, { s: 'abc' }),
  limited('s + s', { maxTextLength: 6 }, { value: 'abcabc' }, { s: 'abc' }),
  limited('"x".matches(s)', { maxPatternSize: 12 }, { value: false }, { s: 'x{3}' }),
  limited(
    '"x".matches(s)',
    { maxPatternSize: 11 },
    { error: 'limit/pattern-size', at: '"x".matches(s)' },
    { s: 'x{3}' },
  ),
  limited(
    'regex.extract("x", s)',
    {},
    { error: 'limit/pattern-size', at: 'regex.extract("x", s)' },
    {
      s: '(a{1000})'.repeat(100),
    },
  ),
];

import type { Activation, Limits } from '@tollgate/cel';
import { inject } from 'vitest';
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

/** Strings and lists of ordinary sizes, which are expensive only if a loop reads them repeatedly. */
const HOSTILE = { ...TEN, s: 'ab'.repeat(50_000), names: Array.from({ length: 2000 }, (_, i) => `name ${i}`) };

/** The usual budget in a deep run; otherwise a fifth of it. */
const BUDGET: Partial<Limits> = inject('isDeep') ? {} : { maxSteps: 200_000 };

/** Expressions that exceed the budget, and where that is reported. Each took seconds, or all memory, when only iterations were counted. */
const BEYOND_STEPS: readonly (readonly [expression: string, at?: string])[] = [
  ['lists.range(20000).all(x, x in lists.range(20000))'],
  ['lists.range(999).map(a, lists.range(1000000)).size()', 'lists.range(1000000)'],
  ['cel.bind(l, lists.range(20000), l.all(x, -1 in l || true))', 'l.all(x, -1 in l || true)'],
  ['names.all(a, names.all(b, a != b || s.contains("abc") || true))'],
  ['lists.range(100000).all(i, s.matches("^(ab)*c") || i >= 0)'],
  ['lists.range(100000).all(i, s.replace("a", "b") != "")'],
  ['lists.range(100000).map(i, s + string(i)).size() > 0', 's + string(i)'],
  ['lists.range(100000).all(i, s.split("a").size() > 0)'],
  ['lists.range(100000).all(i, names.join(",") != "")'],
  ['lists.range(100000).all(i, "%s".format([s]) != "")'],
  ['lists.range(100000).all(i, names.sort()[0] != "")'],
  ['lists.range(100000).all(i, names.distinct().size() > 0)'],
  ['lists.range(100000).all(i, [names, names].flatten().size() > 0)'],
  ['lists.range(100000).all(i, names == names)'],
  ['lists.range(100000).all(i, s == d || true)'],
  ['lists.range(100000).all(i, s < s || true)'],
  ['lists.range(100000).all(i, size(s) > i)'],
  ['lists.range(1000).all(i, regex.replace(s, "a", "bb") != "")'],
  ['lists.range(100000).all(i, "x".matches(string(i)) || true)'],
  ['lists.range(3000).map(i, [i]).distinct().size() > 0', 'lists.range(3000).map(i, [i]).distinct()'],
  [nestedLists('z == dyn(z)'), 'z'],
  [nestedLists('z.size() > 0'), 'z'],
  [nestedLists('z.flatten().size() > 0'), 'z'],
  [nestedLists('[z] == []'), '[z]'],
];

/** Lists that contain the same list ten times, recursively: short to write, and endless to traverse. */
function nestedLists(last: string): string {
  const depth = 12;
  const list = (name: string) => `[${Array.from({ length: 10 }, () => name).join(', ')}]`;
  const names = Array.from({ length: depth }, (_, i) => (i === depth - 1 ? 'z' : `v${i}`));
  const open = names.map((name, i) => `cel.bind(${name}, ${list(i === 0 ? '1' : (names[i - 1] as string))}, `);
  return `${open.join('')}${last}${')'.repeat(depth)}`;
}

export const LIMITS: readonly ContractCase[] = [
  limited('ints.all(x, x > 0)', { maxSteps: 10 }, { value: true }),
  limited('ints.all(x, x > 0)', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.all(x, x > 0)' }),
  limited('ints.exists(x, x > 4)', { maxSteps: 5 }, { value: true }),
  limited('ints.map(x, x * 2).size()', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.map(x, x * 2)' }),
  limited('ints.map(x, x).map(x, x).size()', { maxSteps: 30 }, { value: 10 }),
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
  ...BEYOND_STEPS.map(([expression, at]) =>
    limited(expression, BUDGET, { error: 'limit/steps', at: at ?? expression }, HOSTILE),
  ),
  limited('ints == ints', { maxSteps: 30 }, { value: true }),
  limited('ints == ints', { maxSteps: 29 }, { error: 'limit/steps', at: 'ints == ints' }),
  limited('11 in ints || dyn(ints[0]) == 1', { maxSteps: 0 }, { value: true }),
  limited('11 in ints || dyn("a") == "a"', { maxSteps: 0 }, { value: true }),
  limited('11 in ints || dyn(true) != false', { maxSteps: 0 }, { value: true }),
  limited('d == "0123456789abcdef"', { maxSteps: 0 }, { value: true }, { d: '0123456789abcdef' }),
  limited('11 in ints', { maxSteps: 10 }, { value: false }),
  limited('11 in ints', { maxSteps: 9 }, { error: 'limit/steps', at: '11 in ints' }),
  limited('1 in ints', { maxSteps: 1 }, { value: true }),
  limited('lists.range(10).size()', { maxSteps: 10 }, { value: 10 }),
  limited('lists.range(10).size()', { maxSteps: 9 }, { error: 'limit/steps', at: 'lists.range(10)' }),
  limited('ints.all(x, x > 20) || ints.all(x, x > 0)', { maxSteps: 11 }, { value: true }),
  limited(
    'ints.all(x, x > 0) && ints.all(x, x > 0)',
    { maxSteps: 19 },
    { error: 'limit/steps', at: 'ints.all(x, x > 0)' },
  ),
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

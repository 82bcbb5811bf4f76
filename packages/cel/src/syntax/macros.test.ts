import { expect, test } from 'vitest';
import type { Ast } from '../ast/ast.ts';
import { createEnvironment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { unparse } from './format-expression.ts';
import { parse } from './parse.ts';

const environment = createEnvironment({ libraries: EXTENSION_LIBRARIES });

/** Returns the expansion as a string; `@fold(iterVar…, accuVar, range, init, condition, step, result)` is a comprehension. */
function expansion(source: string): string {
  const { ast, diagnostics } = parse(source, environment);
  expect(diagnostics).toEqual([]);
  const bare: Ast = { ...ast, macroCalls: new Map() };
  return unparse(bare);
}

test.each([
  ['has(a.b)', 'has(a.b)'],
  ['a.all(x, p)', '@fold(x, @result, a, true, @not_strictly_false(@result), @result && p, @result)'],
  ['a.exists(x, p)', '@fold(x, @result, a, false, @not_strictly_false(!@result), @result || p, @result)'],
  ['a.exists_one(x, p)', '@fold(x, @result, a, 0, true, p ? @result + 1 : @result, @result == 1)'],
  ['a.existsOne(x, p)', '@fold(x, @result, a, 0, true, p ? @result + 1 : @result, @result == 1)'],
  ['a.map(x, f)', '@fold(x, @result, a, [], true, @result + [f], @result)'],
  ['a.map(x, p, f)', '@fold(x, @result, a, [], true, p ? @result + [f] : @result, @result)'],
  ['a.filter(x, p)', '@fold(x, @result, a, [], true, p ? @result + [x] : @result, @result)'],
  ['cel.bind(x, a, f)', '@fold(#unused, x, [], a, false, x, f)'],
  ['a.optMap(x, f)', 'a.hasValue() ? optional.of(@fold(#unused, x, [], a.value(), false, x, f)) : optional.none()'],
  ['a.optFlatMap(x, f)', 'a.hasValue() ? @fold(#unused, x, [], a.value(), false, x, f) : optional.none()'],
  ['a.all(i, x, p)', '@fold(i, x, @result, a, true, @not_strictly_false(@result), @result && p, @result)'],
  ['a.existsOne(i, x, p)', '@fold(i, x, @result, a, 0, true, p ? @result + 1 : @result, @result == 1)'],
  ['a.transformList(i, x, f)', '@fold(i, x, @result, a, [], true, @result + [f], @result)'],
  ['a.transformMap(k, v, f)', '@fold(k, v, @result, a, {}, true, cel.@mapInsert(@result, k, f), @result)'],
  [
    'a.transformMap(k, v, p, f)',
    '@fold(k, v, @result, a, {}, true, p ? cel.@mapInsert(@result, k, f) : @result, @result)',
  ],
  ['a.transformMapEntry(k, v, f)', '@fold(k, v, @result, a, {}, true, cel.@mapInsert(@result, f), @result)'],
  ['cel.block([a], cel.index(0))', 'cel.@block([a], @index0)'],
  ['cel.iterVar(0, 1) + cel.accuVar(2, 3)', '@it:0:1 + @ac:2:3'],
  ['math.greatest(a)', 'math.@max(a)'],
  ['math.greatest([1, a])', 'math.@max([1, a])'],
  ['math.least(a, 1.5)', 'math.@min(a, 1.5)'],
  ['math.least(a, 2u, -1)', 'math.@min([a, 2u, -1])'],
])('%s expands to %s', (source, text) => {
  expect(expansion(source)).toBe(text);
});

test.each([
  'a.bind(x, 1, x)',
  'a.greatest(1, 2)',
  'a.index(0)',
  'has(a, b)',
  'a.all(x)',
  'has()',
  'map(a, b)',
  'a.has(b.c)',
])('%s is not a macro', source => {
  expect(parse(source, environment).ast.macroCalls.size).toBe(0);
  expect(expansion(source)).toBe(source);
});

test.each([
  ['has(a)', '4-5 expected a field selection such as `has(a.b)`'],
  ['has(a.?b)', '4-8 expected a field selection such as `has(a.b)`'],
  ['a.all(1, b)', "6-7 expected a variable's name as first argument of `all`"],
  ['a.map(.x, b)', "6-8 expected a variable's name as first argument of `map`"],
  ['a.map(__result__, b)', '6-16 `__result__` is taken by `map` itself; expected another name'],
  ['a.all(i, b.c, d)', "9-12 expected a variable's name as second argument of `all`"],
  ['a.exists(i, i, b)', '12-13 expected two different names, found `i` twice'],
  ['cel.bind(a.b, 1, c)', "9-12 expected a variable's name as first argument of `bind`"],
  ['cel.block(a, b)', '10-11 expected a list of expressions as first argument of `cel.block`'],
  ['cel.index(-1)', '10-12 expected a non-negative int literal as argument of `cel.index`'],
  ['math.least()', '0-12 expected at least one argument of `math.least`'],
  ["math.least('a')", '11-14 expected a number or a non-empty list of numbers as argument of `math.least`'],
  ['math.least([])', '11-13 expected a number or a non-empty list of numbers as argument of `math.least`'],
  ['math.greatest(1, true, [2])', '17-21 expected numbers as arguments of `math.greatest`'],
])('%s is misused', (source, expected) => {
  const { ast, diagnostics } = parse(source, environment);
  expect(diagnostics.map(({ range, message }) => `${range.start}-${range.end} ${message}`)).toEqual([expected]);
  expect(diagnostics.map(({ code }) => code)).toEqual(['syntax/invalid-macro-argument']);
  expect(ast.root.kind).toBe('error');
});

test('nested macros are found by the ids of their expansions', () => {
  const { ast } = parse('a.map(x, x.all(y, has(y.b)))', environment);
  const calls = [...ast.macroCalls.values()].map(call => call.function);
  expect(calls).toEqual(['has', 'all', 'map']);
  const [, all] = [...ast.macroCalls.keys()];
  expect(ast.macroCalls.get(all ?? 0)?.args[0]).toMatchObject({
    kind: 'ident',
    name: 'y',
    range: { start: 15, end: 16 },
  });
});

test('a target that an expansion contains twice is copied with new ids, including its macros', () => {
  const { ast } = parse('a.filter(x, p).optMap(y, y)', environment);
  const filters = [...ast.macroCalls].filter(([, call]) => call.function === 'filter').map(([id]) => id);
  expect(new Set(filters).size).toBe(2);
  expect(unparse(ast)).toBe('a.filter(x, p).optMap(y, y)');
});

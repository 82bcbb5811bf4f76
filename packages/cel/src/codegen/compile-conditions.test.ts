import { expect, test } from 'vitest';
import { INT, listOf, mapOf, STRING } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { type Activation, createEnvironment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { EvaluationError, partialMap, Unknown } from '../values/value.ts';
import { compileConditions, compileToJavaScript, conditionsCode } from './compile.ts';
import { createModuleScope } from './scope.ts';

const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 's', type: STRING },
    { name: 'n', type: INT },
    { name: 'xs', type: listOf(INT) },
    { name: 'm', type: mapOf(STRING, STRING) },
  ],
  limits: { maxSteps: 10 },
});

function typedOf(source: string) {
  const checked = check(parse(source, ENVIRONMENT).ast, ENVIRONMENT);
  expect(checked.diagnostics).toEqual([]);
  return checked.typed;
}

function decide(rules: readonly (readonly string[])[], activation: object): unknown[] {
  const compiled = compileConditions(
    rules.map(rule => rule.map(typedOf)),
    ENVIRONMENT,
  );
  const results: never[] = [];
  compiled.evaluateAll(activation as Activation, results);
  return results;
}

test('a rule is the conjunction of its expressions; a rule without expressions always matches', () => {
  const rules = [[], ['s == "a"'], ['s == "a"', 'n > 1'], ['n > 1', 's == "b"'], ['n > 1 || s == "b"', 'n < 3']];
  expect(decide(rules, { s: 'a', n: 2 })).toEqual([true, true, true, false, true]);
  expect(decide([[]], {})).toEqual([true]);
});

test('an error leaves a rule undecided only if no other expression is false', () => {
  const rules = [
    ['m["x"] == "a"', 'n == 1'],
    ['m["x"] == "a"', 'n == 2'],
    ['n == 1', 'm["y"] == "a"'],
  ];
  const whole = decide(rules, { n: 2, m: {} });
  expect(whole).toEqual([false, expect.any(EvaluationError), false]);
  const partial = decide(rules, { n: 1, m: partialMap({}, 'm') });
  expect(partial).toEqual([new Unknown(['m["x"]']), false, new Unknown(['m["y"]'])]);
});

test('an error is located in its own expression, even if several expressions share the failed read', () => {
  const rules = [['m["x"] == "a"'], ['1 == 1 && m["x"] == "b"']];
  const alone = rules.map(([source = '']) => compileToJavaScript(typedOf(source), ENVIRONMENT).evaluate({ m: {} }));
  expect(decide(rules, { m: {} })).toEqual(alone);
  expect(alone[0]).not.toEqual(alone[1]);
});

test('each rule has the full budget', () => {
  const xs = [1, 2, 3, 4, 5, 6, 7];
  const loops = ['xs.all(x, x > 0)', 'xs.exists(x, x == 7)', 'xs.all(x, xs.exists(y, y == x))'];
  expect(decide([...loops.map(loop => [loop]), loops.slice(0, 2)], { xs })).toEqual([
    true,
    true,
    expect.objectContaining({ code: 'limit/steps' }),
    expect.objectContaining({ code: 'limit/steps' }),
  ]);
});

test('names bound in one expression are not visible in another', () => {
  expect(decide([['xs.exists(x, x == 2)'], ['m.exists(x, x == "k")']], { xs: [1, 2], m: { k: 'v' } })).toEqual([
    true,
    true,
  ]);
});

test('decides the rules of a policy of any size', () => {
  const rules = Array.from({ length: 205 }, (_, i) => [`n == ${i}`]);
  const expected = rules.map((_, i) => i === 123);
  expect(decide(rules, { n: 123 })).toEqual(expected);
});

test('loads shared inputs once', () => {
  const rules = ['s == "a"', 's == "b"', 's.contains("c")'].map(source => [typedOf(source)]);
  const code = conditionsCode(createModuleScope(), rules, ENVIRONMENT);
  expect(code.split('a.s').length - 1).toBe(1);
});

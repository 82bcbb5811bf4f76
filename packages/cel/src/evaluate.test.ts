import { expect, test } from 'vitest';
import { INT } from './ast/types.ts';
import { createEnvironment } from './checker/environment.ts';
import { ExpressionError, evaluate } from './evaluate.ts';
import { EvaluationError, Unknown } from './values/value.ts';

test.each<[source: string, data: Record<string, unknown>, expected: unknown]>([
  ["user.role == 'admin' && user.age >= 18", { user: { role: 'admin', age: 42 } }, true],
  ['tags.map(t, t.upperAscii()).join("-")', { tags: ['a', 'b'] }, 'A-B'],
  ['{"a": 1u, "b": [2.0, 3]}', {}, { a: 1, b: [2, 3] }],
  ['{1: "a"}', {}, new Map([[1, 'a']])],
  ['9007199254740991', {}, 9007199254740991],
  ['9007199254740993', {}, 9007199254740993n],
  ['timestamp("2026-01-01T00:00:00Z") + duration("1h")', {}, '2026-01-01T01:00:00Z'],
  ['x / 2', { x: 3 }, 1],
  ['"aaaa!".matches("^(a+)+$")', {}, false],
])('%s is a plain value', (source, data, expected) => {
  expect(evaluate(source, data)).toEqual(expected);
});

test('returns a failed evaluation as an error value', () => {
  const outcome = evaluate('m["b"]', { m: { a: 1 } });
  expect(outcome instanceof EvaluationError && outcome.code).toBe('eval/no-such-key');
  expect(evaluate('x && true', { x: new Unknown(['x']) })).toEqual(new Unknown(['x']));
});

test.each([
  ['1 +', 'expected an expression, found the end of the expression (at offset 3)', 'syntax/unexpected-token'],
  ['usr == 1', '`usr` is not declared; did you mean `user`? (at offset 0)', 'name/undeclared-reference'],
])('throws an error with all diagnostics for %s', (source, message, code) => {
  let thrown: unknown;
  try {
    evaluate(source, { user: 1 });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ExpressionError);
  expect(thrown).toMatchObject({ message, source, diagnostics: [{ code }] });
});

test('checks against the variables that an environment declares', () => {
  const environment = createEnvironment({ variables: [{ name: 'x', type: INT }] });
  expect(evaluate('x + y', { x: 1, y: 2 }, { environment })).toBe(3);
  expect(() => evaluate('x == "a"', { x: 1 }, { environment })).toThrow(ExpressionError);
  expect(() => evaluate('ip("::1")', {}, { environment })).toThrow(ExpressionError);
});

test('reads every number as a double on request', () => {
  const data = { x: 3, items: [1, { y: 5 }], table: new Map([['z', 7]]), big: 9n };
  const double = (source: string) => evaluate(source, data, { numbers: 'double' });
  expect(['x / 2.0', 'items[1].y / 2.0', 'table.z / 2.0', 'big / 2', 'type(x) == double'].map(double)).toEqual([
    1.5,
    2.5,
    3.5,
    4,
    true,
  ]);
  const cycle: unknown[] = [1];
  cycle.push(cycle);
  expect(evaluate('c[1][1][0] / 2.0', { c: cycle }, { numbers: 'double' })).toBe(0.5);
});

import { expect, test } from 'vitest';
import { INT, mapOf, STRING } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { createEnvironment } from '../checker/environment.ts';
import { compileConjunction } from '../closures/compile-closures.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { partialMap, Unknown } from '../values/value.ts';
import { compileConditions } from './compile.ts';

const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'n', type: INT },
    { name: 'm', type: mapOf(STRING, STRING) },
    { name: 'd', type: { kind: 'dyn' } },
  ],
  limits: { maxSteps: 100 },
});

const EXPRESSIONS = [
  'n > 1',
  'n < 1',
  'n / 0 == 1',
  'm["a"] == "x"',
  'm["missing"] == "x"',
  'd',
  'd == 1',
  '[1, 2, 3].all(x, x < 10)',
  `[${Array.from({ length: 60 }, (_, index) => index).join(', ')}].exists(x, x == n)`,
  'm.exists(k, m[k] == "x")',
];

const ACTIVATIONS = [
  { n: 2, m: { a: 'x' }, d: true },
  { n: 70, m: {}, d: 1 },
  { n: new Unknown(['n']), m: partialMap({}, 'm'), d: new Unknown(['d']) },
  { m: new Unknown(['m']) },
];

test('a conjunction of closures has the results of generated conditions, for all pairs of expressions', () => {
  const typed = EXPRESSIONS.map(source => {
    const checked = check(parse(source, ENVIRONMENT).ast, ENVIRONMENT);
    expect(checked.diagnostics).toEqual([]);
    return checked.typed;
  });
  const rules = [[], ...typed.map(one => [one]), ...typed.flatMap(one => typed.map(other => [one, other]))];
  const generated = compileConditions(rules, ENVIRONMENT);
  const closures = rules.map(rule => compileConjunction(rule, ENVIRONMENT));
  for (const activation of ACTIVATIONS) {
    const expected: unknown[] = [];
    generated.evaluateAll(activation, expected as never);
    expect(closures.map(evaluate => evaluate(activation))).toEqual(expected);
  }
});

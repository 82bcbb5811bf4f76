import { check, createEnvironment, EvaluationError, EXTENSION_LIBRARIES, NETWORK_LIBRARY, parse } from '@tollgate/cel';
import { describe, expect, test } from 'vitest';
import { EVALUATORS, type Evaluator } from './evaluators.ts';
import { NETWORK_CASES, type NetworkCase } from './network-cases.ts';

const env = createEnvironment({ libraries: EXTENSION_LIBRARIES });

function outcome(expression: string, evaluator: Evaluator): unknown {
  const parsed = parse(expression, env);
  const { typed, diagnostics } = check(parsed.ast, env);
  expect([...parsed.diagnostics, ...diagnostics].filter(({ severity }) => severity === 'error')).toEqual([]);
  const result = evaluator.compile(typed, env).evaluate({});
  return result instanceof EvaluationError ? result.code : result;
}

function expected({ value, error }: NetworkCase, evaluator: Evaluator): unknown {
  return value === undefined ? error : outcome(value, evaluator);
}

describe.each(EVALUATORS)('the network suite, $name', evaluator => {
  describe.each(Object.entries(NETWORK_CASES))('%s', (_, cases) => {
    test.each(cases)('$expression', each => {
      expect(outcome(each.expression, evaluator)).toEqual(expected(each, evaluator));
    });
  });
});

test('every overload of the library is in the suite', () => {
  const called = new Set<string>();
  for (const { expression } of Object.values(NETWORK_CASES).flat()) {
    for (const reference of check(parse(expression, env).ast, env).typed.references) {
      if (reference?.kind === 'function') for (const { id } of reference.overloads) called.add(id);
    }
  }
  const declared = NETWORK_LIBRARY.functions.flatMap(({ overloads }) => overloads.map(({ id }) => id));
  expect(declared.filter(id => !called.has(id))).toEqual([]);
});

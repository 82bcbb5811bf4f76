import { describe, expect, test } from 'vitest';
import { EVALUATION_TESTS, FILES } from './evaluation-tests.ts';
import { EVALUATORS } from './evaluators.ts';
import { EXPECTED_FAILURES } from './expected-failures.ts';
import { runEvaluationTest } from './run-evaluation-test.ts';

test('runs all tests of the suite without protocol buffers', () => {
  const counts = Object.values(FILES).map(files => EVALUATION_TESTS.filter(({ file }) => files.includes(file)).length);
  expect(counts).toEqual([1094, 675, 26]);
});

test('every test has a unique id', () => {
  expect(new Set(EVALUATION_TESTS.map(({ id }) => id)).size).toBe(EVALUATION_TESTS.length);
});

test('at most ten failures are expected', () => {
  expect(EXPECTED_FAILURES.length).toBeLessThanOrEqual(10);
});

const expected = new Set(EXPECTED_FAILURES.map(({ id }) => id));

describe.each(EVALUATORS)('the evaluation suite, $name', evaluator => {
  test.each(Object.values(FILES).flat())('%s fails only where that is expected', file => {
    const tests = EVALUATION_TESTS.filter(candidate => candidate.file === file);
    const failures = tests.flatMap(candidate => {
      const problem = runEvaluationTest(candidate, evaluator);
      return problem === undefined ? [] : [{ id: candidate.id, expr: candidate.original.expr, problem }];
    });
    const wrong = failures.filter(({ id }) => !expected.has(id));
    expect(wrong).toEqual([]);
    expect(failures.map(({ id }) => id)).toEqual(tests.map(({ id }) => id).filter(id => expected.has(id)));
  });
});

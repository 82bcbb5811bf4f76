import { EVALUATION_TESTS, FILES } from './evaluation-tests.ts';
import { EVALUATORS } from './evaluators.ts';
import { runEvaluationTest } from './run-evaluation-test.ts';

/** Prints how many tests of the official suite each evaluator passes; with `--failures` also those that it does not. */

const failures: string[] = [];

function passed(file: string): number[] {
  const tests = EVALUATION_TESTS.filter(test => test.file === file);
  return EVALUATORS.map(evaluator => {
    const wrong = tests.flatMap(test => {
      const problem = runEvaluationTest(test, evaluator);
      return problem === undefined ? [] : [`${evaluator.name} ${test.id}: ${test.original.expr}\n    ${problem}`];
    });
    failures.push(...wrong);
    return tests.length - wrong.length;
  });
}

function line(name: string, total: number, counts: readonly number[]): string {
  return [name.padEnd(18), String(total).padStart(6), ...counts.map(count => String(count).padStart(10))].join(' ');
}

console.log(['file'.padEnd(18), ' tests', ...EVALUATORS.map(({ name }) => name.padStart(10))].join(' '));
for (const [group, files] of Object.entries(FILES)) {
  const rows = files.map(file => ({
    file,
    total: EVALUATION_TESTS.filter(test => test.file === file).length,
    counts: passed(file),
  }));
  for (const { file, total, counts } of rows) console.log(line(file, total, counts));
  const sums = EVALUATORS.map((_, i) => rows.reduce((sum, { counts }) => sum + (counts[i] ?? 0), 0));
  console.log(
    line(
      `= ${group}`,
      rows.reduce((sum, { total }) => sum + total, 0),
      sums,
    ),
  );
}
if (process.argv.includes('--failures')) for (const failure of failures) console.log(failure);

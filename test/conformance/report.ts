import { EVALUATION_TESTS, type EvaluationTest, FILES } from './evaluation-tests.ts';
import { EVALUATORS } from './evaluators.ts';
import { OTHER_ENGINES, passes } from './other-engines.ts';
import { runEvaluationTest } from './run-evaluation-test.ts';

// Prints how many tests of the official evaluation suite each evaluator passes, and how many other engines do:
// node --conditions=tollgate-source test/conformance/report.ts [--failures]
// Other engines are compared by value only; any error counts as the expected one.

interface Column {
  readonly name: string;
  readonly passes: (test: EvaluationTest) => boolean;
}

const failures: string[] = [];

const COLUMNS: readonly Column[] = [
  ...EVALUATORS.map(evaluator => ({
    name: evaluator.name,
    passes: (test: EvaluationTest) => {
      const problem = runEvaluationTest(test, evaluator);
      if (problem !== undefined) failures.push(`${evaluator.name} ${test.id}: ${test.original.expr}\n    ${problem}`);
      return problem === undefined;
    },
  })),
  ...OTHER_ENGINES.map(engine => ({ name: engine.name, passes: (test: EvaluationTest) => passes(test, engine) })),
];

function line(name: string, counts: readonly (string | number)[]): string {
  return name.padEnd(16) + counts.map(count => String(count).padStart(11)).join('');
}

function countsOf(files: readonly string[]): number[] {
  const tests = EVALUATION_TESTS.filter(({ file }) => files.includes(file));
  return [tests.length, ...COLUMNS.map(column => tests.filter(column.passes).length)];
}

console.log(line('file', ['tests', ...COLUMNS.map(({ name }) => name)]));
for (const [group, files] of Object.entries(FILES)) {
  const rows = files.map(file => ({ file, counts: countsOf([file]) }));
  for (const { file, counts } of rows) console.log(line(file, counts));
  const sums = (rows[0]?.counts ?? []).map((_, i) => rows.reduce((sum, { counts }) => sum + (counts[i] ?? 0), 0));
  console.log(line(`= ${group}`, sums));
}
if (process.argv.includes('--failures')) for (const failure of failures) console.log(failure);

// What the tests of a policy do not show about a rule, and the tests that would: the same goals and tests as `tollgate test --write-missing`.

import type { SourceText } from '@tollgate/diagnostics';
import { addTests, type PolicyTests, type Rule, type TestToWrite, testsText } from '@tollgate/policy';
import { prepareCoverage, runTests } from '@tollgate/simulator';
import { type GoalContext, goalContext, missingTests } from '@tollgate/solver';
import { directoryOf, nameFrom } from '../paths.ts';
import type { AnalysedPolicy } from '../snapshot.ts';

/** A file of tests of a policy. */
export interface FileOfTests {
  readonly path: string;
  readonly source: SourceText;
  readonly tests: PolicyTests;
}

/** A rule of a policy, with the tests of the policy. */
export interface TestedRule {
  readonly analysed: AnalysedPolicy;
  readonly rule: Rule;
  readonly files: readonly FileOfTests[];
}

/** What no test shows about a rule. */
interface OpenGoals {
  /** Positions of goals. */
  readonly open: readonly number[];
  readonly context: GoalContext;
}

function openGoals({ analysed, rule, files }: TestedRule): OpenGoals {
  const { policy, target, environments } = analysed;
  const runnable = { profile: target.profile, environments };
  const coverage = prepareCoverage(policy, runnable);
  // What a disabled policy would do is counted.
  const enabled = { ...policy, enabled: true };
  const results = files.flatMap(({ tests }) => runTests(enabled, tests, runnable, coverage).results);
  const reached = new Set(results.flatMap(one => one.reached ?? []));
  const at = coverage.rules.findIndex(one => one.rule === rule);
  const isOpen = (goal: number) => coverage.goals[goal]!.rule === at && !reached.has(goal);
  const context = goalContext(policy, { ...runnable, endpoint: policy.endpoint }, coverage);
  return { context, open: [...coverage.goals.keys()].filter(isOpen) };
}

/** Returns true if a test is missing, or may be: something is not shown, and there is no proof that nothing can show it. */
export function lacksTests(tested: TestedRule): boolean {
  const { open, context } = openGoals(tested);
  return open.some(goal => context.questions.answer(goal).kind !== 'impossible');
}

/** The tests that a rule lacks. */
export interface RuleTests {
  readonly tests: readonly TestToWrite[];
  /** Why a goal has no test, for each that has none although there is no proof that none can reach it. */
  readonly reasons: readonly string[];
}

/** Returns the tests that a rule lacks, each with the decision of today. */
export function missingTestsOf(tested: TestedRule): RuleTests {
  const { context, open } = openGoals(tested);
  const { goals } = context.coverage;
  const wanted = new Set(open);
  const names = new Set(
    tested.files.flatMap(({ tests }) => tests.tests.flatMap(({ name, table = name }) => [name, table])),
  );
  const reached = new Set([...goals.keys()].filter(goal => !wanted.has(goal)));
  const found = missingTests(context, { reached, names });
  const reasons = found.open.map(({ goal, reason }) => `${goals[goal]!.id}: ${reason}`);
  return { tests: found.tests.map(one => one.test), reasons };
}

/** A file of tests with more of them. */
export interface ChangedTests {
  readonly path: string;
  /** Undefined for a file that does not exist yet. */
  readonly source: SourceText | undefined;
  readonly text: string;
}

/** Returns the file with most tests of a policy with more of them, or a new one; undefined if its tests are not a list of their own. */
export function withTests(
  { analysed, files }: Pick<TestedRule, 'analysed' | 'files'>,
  path: string,
  tests: readonly TestToWrite[],
): ChangedTests | undefined {
  const [file] = files.toSorted((a, b) => b.tests.tests.length - a.tests.tests.length);
  if (file) {
    const text = addTests(file.source, tests);
    return text === undefined ? undefined : { path: file.path, source: file.source, text };
  }
  const { address } = analysed;
  const own = testFileOf(path);
  const name = nameFrom(directoryOf(own), path);
  const written = {
    policy: address ? `${name}#${address}` : name,
    tests: tests.map((one, at) => ({ ...one, path: ['tests', at] })),
  };
  return { path: own, source: undefined, text: testsText(written, `Tests of ${name}.`) };
}

/** Returns the file that the first tests of a policy are written to: `shop.test.yaml` for `shop.yaml` and `shop.policy.yaml`. */
function testFileOf(path: string): string {
  return `${path.replace(/(?:\.(?:policy|tollgate))?\.\w+$/, '')}.test.yaml`;
}

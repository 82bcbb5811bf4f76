import { SourceText } from '@tollgate/diagnostics';
import { readTests } from '@tollgate/policy';
import { runTests, type TestRun } from '@tollgate/simulator';
import { hasErrors } from './documents.ts';
import { findingsIn, PolicyError, type PolicyOptions, runnablePolicy } from './policy-options.ts';

/** The options of {@link test}. */
export interface TestOptions extends PolicyOptions {
  /** File name of the tests in findings; `policy.test.yaml` by default. */
  readonly testsFile?: string;
}

/** The result of {@link test}. */
export interface TestPolicyResult extends TestRun {
  /** True if no test failed. */
  readonly isPassed: boolean;
}

/**
 * Runs policy tests in YAML or JSON. Their key `policy` is ignored, since the policy is given; `profile` and `endpoint` apply unless
 * overridden. Throws a {@link PolicyError} if the policy or the tests have errors.
 */
export function test(policy: string, tests: string, options: TestOptions = {}): TestPolicyResult {
  const source = new SourceText(options.testsFile ?? 'policy.test.yaml', tests);
  const { value, diagnostics } = readTests(source);
  if (value === undefined || hasErrors(diagnostics)) throw new PolicyError(findingsIn(source, diagnostics));
  const { profile, endpoint } = value;
  const runnable = runnablePolicy(policy, { ...(profile && { profile }), ...(endpoint && { endpoint }), ...options });
  const run = runTests(runnable.policy, value, runnable);
  return { ...run, isPassed: run.counts.failed === 0 };
}

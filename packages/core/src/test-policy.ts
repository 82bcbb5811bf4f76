import { SourceText } from '@tollgate/diagnostics';
import { type ParsedSettings, parseTests, rangeAt, testsIn, type WrittenTests } from '@tollgate/policy';
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
 * overridden. Throws a {@link PolicyError} if the policy or the tests have errors, or if the tests extend a file, since none is read.
 */
export function test(policy: string, tests: string, options: TestOptions = {}): TestPolicyResult {
  const source = new SourceText(options.testsFile ?? 'policy.test.yaml', tests);
  const parsed = parseTests(source);
  refuseExtends(parsed, source);
  const { value, diagnostics } = testsIn(parsed, source);
  if (value === undefined || hasErrors(diagnostics)) throw new PolicyError(findingsIn(source, diagnostics));
  const { profile, endpoint } = value;
  const runnable = runnablePolicy(policy, { ...(profile && { profile }), ...(endpoint && { endpoint }), ...options });
  const run = runTests(runnable.policy, value, runnable);
  return { ...run, isPassed: run.counts.failed === 0 };
}

function refuseExtends({ value, root }: ParsedSettings<WrittenTests>, source: SourceText): void {
  if (value?.extends === undefined || root === undefined) return;
  const message = 'no file is read, so tests cannot extend one; write its fixtures into the tests';
  const range = rangeAt(root, { path: ['extends'] });
  const fault = { code: 'test/invalid', severity: 'error', message, uri: source.uri, range, args: {} } as const;
  throw new PolicyError(findingsIn(source, [fault]));
}

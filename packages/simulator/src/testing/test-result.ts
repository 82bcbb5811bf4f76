/** The results of one test file. */
export interface TestRun {
  /** One result per test, in the order of the file. */
  readonly results: readonly TestResult[];
  /** Only tests with `only` were run. */
  readonly isNarrowed: boolean;
  readonly counts: Readonly<Record<TestStatus, number>>;
  /** One entry per rule, in the order of the phases. */
  readonly coverage: readonly RuleCoverage[];
}

/** The number of tests in which a rule matched, and in which it was evaluated without matching. */
export interface RuleCoverage {
  readonly matched: number;
  readonly notMatched: number;
}

/** `left-out`: other tests set `only`. */
export type TestStatus = 'passed' | 'failed' | 'skipped' | 'left-out';

/** The result of one test. */
export interface TestResult {
  readonly name: string;
  readonly status: TestStatus;
  /** Why it was skipped. */
  readonly reason?: string;
  /** The expectations that failed; empty unless the test failed. */
  readonly mismatches: readonly Mismatch[];
}

/** An expectation that is not met, or may not be. */
export interface Mismatch {
  /** `differs`; or the test does not say enough to tell; or the policy has no such rule, or several. */
  readonly kind: 'differs' | 'undetermined' | 'unknown-rule';
  /** The path of the expectation in the file: `tests`, 3, `expect`, `status`. */
  readonly path: readonly (string | number)[];
  /** Lower case, without a final period. */
  readonly message: string;
  /** As data; undefined for nothing or unknown. */
  readonly expected: unknown;
  readonly found: unknown;
  /** The inputs that would settle it; empty unless it is undetermined. */
  readonly needs: readonly string[];
  /** The position of the rule that decided the actual value, if one did. */
  readonly rule?: number;
}

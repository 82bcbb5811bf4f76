/** What came of the tests of one file. */
export interface TestRun {
  /** For each test, in the order of the file. */
  readonly results: readonly TestResult[];
  /** Only tests that say `only` were run. */
  readonly isNarrowed: boolean;
  readonly counts: Readonly<Record<TestStatus, number>>;
  /** For each rule, in the order of the phases. */
  readonly coverage: readonly RuleCoverage[];
}

/** In how many of the tests that were run a rule matched, and in how many it was asked and did not. */
export interface RuleCoverage {
  readonly matched: number;
  readonly notMatched: number;
}

/** `left-out`: other tests set `only`. */
export type TestStatus = 'passed' | 'failed' | 'skipped' | 'left-out';

/** What came of one test. */
export interface TestResult {
  readonly name: string;
  readonly status: TestStatus;
  /** Why it was skipped. */
  readonly reason?: string;
  /** Where it was not as expected; none unless it failed. */
  readonly mismatches: readonly Mismatch[];
}

/** An expectation that does not hold, or of which that is not known. */
export interface Mismatch {
  /** `differs`; or it cannot be told from what the test says; or the policy has no such rule, or several. */
  readonly kind: 'differs' | 'undetermined' | 'unknown-rule';
  /** Keys and indexes that lead to the expectation in the file: `tests`, 3, `expect`, `status`. */
  readonly path: readonly (string | number)[];
  /** Lower case, no final period. */
  readonly message: string;
  /** As data; undefined for nothing, and where it is not known. */
  readonly expected: unknown;
  readonly found: unknown;
  /** What would tell; empty unless that is open. */
  readonly needs: readonly string[];
  /** The rule that decided what was found, by its place in the decision, where one did. */
  readonly rule?: number;
}

/** A test of an official suite that we do not pass, and why. It must keep failing: one that passes must be removed from the list. */
interface ExpectedFailure {
  readonly id: string;
  readonly reason: string;
}

/** For all suites together; at most ten. */
export const EXPECTED_FAILURES: readonly ExpectedFailure[] = [];

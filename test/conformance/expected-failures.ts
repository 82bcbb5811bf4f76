/** A test of an official suite that we do not pass, and why. It must go on failing: one that passes has to leave the list. */
export interface ExpectedFailure {
  readonly id: string;
  readonly reason: string;
}

/** Over all suites together; at most ten. */
export const EXPECTED_FAILURES: readonly ExpectedFailure[] = [];

import type { CodeDescription } from '@tollgate/diagnostics';

const GOOD = { kind: 'command', text: 'tollgate test examples/tests/bookshop.test.yaml' } as const;

/** The codes that `tollgate test` reports for valid test files. */
export const TEST_CODES: readonly CodeDescription[] = [
  {
    code: 'test/failed',
    severity: 'error',
    summary: 'failed policy test',
    rationale:
      'The policy decides the exchange differently from what the test expects. The report shows the rule that decided it, if any.',
    remedy: 'Fix the policy, or the test if it is outdated.',
    bad: { kind: 'command', text: 'tollgate test test/golden/tests/failed.test.yaml' },
    good: GOOD,
  },
  {
    code: 'test/undetermined',
    severity: 'error',
    summary: 'undetermined policy test',
    rationale:
      'Fields that a test does not set are unknown, not absent. The expectation depends on one of them, so the test proves nothing.',
    remedy:
      'Set the fields that the message names. Use `null` for a header that is not sent, and `no_other_headers: true` if only the listed headers are sent.',
    bad: { kind: 'command', text: 'tollgate test test/golden/tests/undetermined.test.yaml' },
    good: GOOD,
  },
];

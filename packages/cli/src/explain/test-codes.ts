import type { CodeDescription } from '@tollgate/diagnostics';

const GOOD = { kind: 'command', text: 'tollgate test examples/tests/bookshop.test.yaml' } as const;

/** What `tollgate test` reports of tests that are right in themselves. */
export const TEST_CODES: readonly CodeDescription[] = [
  {
    code: 'test/failed',
    severity: 'error',
    summary: 'a policy test whose expectation does not hold',
    rationale:
      'The policy does something else with the exchange than the test says. Where a rule decided it, that is shown.',
    remedy: 'Mend the policy, or the test where it is out of date.',
    bad: { kind: 'command', text: 'tollgate test test/golden/tests/failed.test.yaml' },
    good: GOOD,
  },
  {
    code: 'test/undetermined',
    severity: 'error',
    summary: 'a policy test of which it is not known whether its expectation holds',
    rationale:
      'What a test does not say of its exchange is not known, neither there nor missing. What is expected hangs on some of that, so the test proves nothing.',
    remedy:
      'Say what the message asks for: a header that is not sent is `null`, and `no_other_headers: true` says that there is none beside those listed.',
    bad: { kind: 'command', text: 'tollgate test test/golden/tests/undetermined.test.yaml' },
    good: GOOD,
  },
];

import type { CodeDescription } from '@tollgate/diagnostics';

const NAMED = 'policy: policy.yaml\ntests:\n  - name: everyone passes\n';

/** What is wrong in files of policy tests, beside their shape. */
export const TESTS_CODES: readonly CodeDescription[] = [
  {
    code: 'test/invalid',
    severity: 'error',
    summary: 'invalid value in a policy test',
    rationale:
      'The value has the right type but is not a valid time, URL or header value, or it is a test name that is already used.',
    remedy: 'The message says what was expected.',
    bad: { kind: 'tests', text: `${NAMED}    now: tomorrow\n    expect: { outcome: passed }\n` },
    good: { kind: 'tests', text: `${NAMED}    now: 2026-03-02T10:15:30Z\n    expect: { outcome: passed }\n` },
  },
  {
    code: 'test/no-assertion',
    severity: 'error',
    summary: 'policy test without an expectation',
    rationale: 'Such a test passes whatever the policy does, and gives false confidence.',
    remedy: 'Add what you expect for the exchange: its outcome, the status, or a rule that matches.',
    bad: { kind: 'tests', text: `${NAMED}    expect: {}\n` },
    good: { kind: 'tests', text: `${NAMED}    expect: { outcome: passed }\n` },
  },
];

import type { CodeDescription } from '@tollgate/diagnostics';

const NAMED = 'policy: policy.yaml\ntests:\n  - name: everyone passes\n';

/** What is wrong in files of policy tests, beside their shape. */
export const TESTS_CODES: readonly CodeDescription[] = [
  {
    code: 'test/invalid',
    severity: 'error',
    summary: 'a value in a file of policy tests that means nothing there',
    rationale:
      'It has the right type, and still is no time, no URL, no value of a header, or a name that another test has.',
    remedy: 'The message says what was expected.',
    bad: { kind: 'tests', text: `${NAMED}    now: tomorrow\n    expect: { outcome: passed }\n` },
    good: { kind: 'tests', text: `${NAMED}    now: 2026-03-02T10:15:30Z\n    expect: { outcome: passed }\n` },
  },
  {
    code: 'test/no-assertion',
    severity: 'error',
    summary: 'a policy test that expects nothing',
    rationale: 'Such a test passes whatever the policy does, and stands for something that nobody looks at.',
    remedy: 'Say what must come of the exchange: its outcome, the status, a rule that matches.',
    bad: { kind: 'tests', text: `${NAMED}    expect: {}\n` },
    good: { kind: 'tests', text: `${NAMED}    expect: { outcome: passed }\n` },
  },
];

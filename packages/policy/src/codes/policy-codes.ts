import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const policy = (text: string): CodeExample => ({ kind: 'policy', text });
const GOOD = policy('inbound:\n  - actions:\n      - type: deny\n');

/** What is wrong with the shape of a policy. */
export const POLICY_CODES: readonly CodeDescription[] = [
  {
    code: 'policy/empty-document',
    severity: 'error',
    summary: 'document without a policy',
    rationale: 'The file contains nothing but whitespace and comments.',
    remedy: 'Write an empty list for a policy that does nothing: `inbound: []`.',
    bad: policy('# nothing yet\n'),
    good: policy('inbound: []\n'),
  },
  {
    code: 'policy/unknown-key',
    severity: 'error',
    summary: 'unknown policy key',
    rationale: 'The service rejects unknown keys. Usually the key is misspelled or belongs to another profile.',
    remedy: 'Use one of the keys that the message lists.',
    bad: policy('inbund:\n  - actions:\n      - type: deny\n'),
    good: GOOD,
  },
  {
    code: 'policy/missing-key',
    severity: 'error',
    summary: 'missing policy key',
    rationale: 'A rule needs actions, and an action needs a type.',
    bad: policy('inbound:\n  - name: robots\n'),
    good: policy('inbound:\n  - name: robots\n    actions:\n      - type: deny\n'),
  },
  {
    code: 'policy/empty-actions',
    severity: 'error',
    summary: 'rule with an empty list of actions',
    rationale: 'A rule without actions does nothing, and the service rejects it.',
    bad: policy('inbound:\n  - actions: []\n'),
    good: GOOD,
  },
  {
    code: 'policy/wrong-type',
    severity: 'error',
    summary: 'value of the wrong type',
    rationale:
      'For example, a list where a map is required, or a string where a list is. A single expression is a list with one item.',
    bad: policy("inbound:\n  - expressions: req.Method == 'GET'\n    actions:\n      - type: deny\n"),
    good: policy("inbound:\n  - expressions:\n      - req.Method == 'GET'\n    actions:\n      - type: deny\n"),
  },
  {
    code: 'policy/unknown-action',
    severity: 'error',
    summary: 'unknown action',
    rationale:
      'This profile has no action of this type. Declare actions that only your edge has in an extension file (`--env`).',
    remedy: 'Use the name that the message suggests.',
    bad: policy('inbound:\n  - actions:\n      - type: block\n'),
    good: GOOD,
  },
  {
    code: 'policy/unreachable-action',
    severity: 'error',
    summary: 'unreachable action',
    rationale: '`deny`, `redirect` and `custom-response` end the policy: no action after them runs.',
    remedy: 'Put the other actions first.',
    bad: policy('inbound:\n  - actions:\n      - type: deny\n      - type: log\n'),
    good: policy('inbound:\n  - actions:\n      - type: log\n      - type: deny\n'),
  },
  {
    code: 'policy/unquoted-expression',
    severity: 'error',
    summary: 'expression that YAML does not read as a string',
    rationale: 'Expressions are strings, but in YAML `true` is a boolean and `{…}` a map.',
    remedy: 'Put quotes around the expression.',
    bad: policy('inbound:\n  - expressions: [true]\n    actions:\n      - type: deny\n'),
    good: policy('inbound:\n  - expressions: ["true"]\n    actions:\n      - type: deny\n'),
  },
  {
    code: 'policy/no-such-part',
    severity: 'error',
    summary: 'path to a part of the file that does not exist',
    rationale:
      '`FILE#/spec/policy` and `--at /spec/policy` say where in a file the policy is. There is nothing at this path.',
    remedy: 'Correct the path; the message suggests the nearest key.',
    bad: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#/spec/policy' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'policy/no-such-document',
    severity: 'error',
    summary: 'document number that does not exist',
    rationale: '`FILE#2` means the second document of the file. The file has fewer documents.',
    bad: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#2' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#1' },
  },
];

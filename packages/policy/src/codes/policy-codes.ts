import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const policy = (text: string): CodeExample => ({ kind: 'policy', text });
const GOOD = policy('inbound:\n  - actions:\n      - type: deny\n');

/** What is wrong with the shape of a policy. */
export const POLICY_CODES: readonly CodeDescription[] = [
  {
    code: 'policy/empty-document',
    severity: 'error',
    summary: 'a document without a policy',
    rationale: 'There is nothing in the file but blanks and comments.',
    remedy: 'A policy that does nothing has an empty list: `inbound: []`.',
    bad: policy('# nothing yet\n'),
    good: policy('inbound: []\n'),
  },
  {
    code: 'policy/unknown-key',
    severity: 'error',
    summary: 'a key that is none of a policy',
    rationale: 'The service refuses keys that it does not know. Mostly one is misspelt, or is of another profile.',
    remedy: 'Correct the name; the message says which there are.',
    bad: policy('inbund:\n  - actions:\n      - type: deny\n'),
    good: GOOD,
  },
  {
    code: 'policy/missing-key',
    severity: 'error',
    summary: 'a key that must be there',
    rationale: 'A rule without actions does nothing, and an action without a type is none.',
    bad: policy('inbound:\n  - name: robots\n'),
    good: policy('inbound:\n  - name: robots\n    actions:\n      - type: deny\n'),
  },
  {
    code: 'policy/empty-actions',
    severity: 'error',
    summary: 'a rule with an empty list of actions',
    rationale: 'A rule without actions does nothing, and the service refuses it.',
    bad: policy('inbound:\n  - actions: []\n'),
    good: GOOD,
  },
  {
    code: 'policy/wrong-type',
    severity: 'error',
    summary: 'a value of another kind than its key takes',
    rationale:
      'A list where there must be a map, a text where there must be a list, and the like. A single expression is a list of one.',
    bad: policy("inbound:\n  - expressions: req.Method == 'GET'\n    actions:\n      - type: deny\n"),
    good: policy("inbound:\n  - expressions:\n      - req.Method == 'GET'\n    actions:\n      - type: deny\n"),
  },
  {
    code: 'policy/unknown-action',
    severity: 'error',
    summary: 'an action that does not exist',
    rationale:
      'The edge has no action of this type, in this profile. What only your edge has is declared in an extension file (`--env`).',
    remedy: 'Correct the name; the message suggests the nearest one.',
    bad: policy('inbound:\n  - actions:\n      - type: block\n'),
    good: GOOD,
  },
  {
    code: 'policy/unreachable-action',
    severity: 'error',
    summary: 'an action behind one that ends the policy',
    rationale: '`deny`, `redirect` and `custom-response` answer the request: nothing of the policy runs after them.',
    remedy: 'Put the other actions first.',
    bad: policy('inbound:\n  - actions:\n      - type: deny\n      - type: log\n'),
    good: policy('inbound:\n  - actions:\n      - type: log\n      - type: deny\n'),
  },
  {
    code: 'policy/unquoted-expression',
    severity: 'error',
    summary: 'an expression that YAML reads as something else than a text',
    rationale: '`true` is a truth value in YAML and `{…}` a map, while expressions are texts.',
    remedy: 'Put quotes around the expression.',
    bad: policy('inbound:\n  - expressions: [true]\n    actions:\n      - type: deny\n'),
    good: policy('inbound:\n  - expressions: ["true"]\n    actions:\n      - type: deny\n'),
  },
  {
    code: 'policy/no-such-part',
    severity: 'error',
    summary: 'a part of a file that is not there',
    rationale:
      '`FILE#/spec/policy` and `--at /spec/policy` say where in a file the policy stands. There is nothing at this path.',
    remedy: 'Correct the path; the message suggests the nearest key.',
    bad: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#/spec/policy' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'policy/no-such-document',
    severity: 'error',
    summary: 'a document of a file that is not there',
    rationale: '`FILE#2` means the second document of a file of several. The file has fewer.',
    bad: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#2' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#1' },
  },
];

import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { RULE_UNTESTED } from './rule-untested.ts';
import { POLICY } from './test-file.ts';

testRule(it, RULE_UNTESTED, {
  fires: {
    'for unnamed rules that no test reaches': {
      policy: `inbound:\n  - «actions: [{ type: log }]»\n  - «expressions: ["req.Method == 'PUT'"]\n    actions: [{ type: deny }]»\n`,
      coverage: [
        { matched: 0, notMatched: 0 },
        { matched: 0, notMatched: 0 },
      ],
      message: 'rule matches in no test; add a test',
    },
    'for a rule that always matches in the tests': {
      policy: POLICY.replace('no TRACE', '«no TRACE»'),
      coverage: [{ matched: 2, notMatched: 0 }],
      message: 'rule matches in every test that reaches it; add a test',
    },
    'for a rule that no test reaches': {
      policy: POLICY.replace('no TRACE', '«no TRACE»'),
      coverage: [{ matched: 0, notMatched: 0 }],
      message: 'no test reaches this rule; add a test',
    },
  },
  silent: {
    'for a policy without tests': POLICY,
    'for a rule without conditions that matches': {
      policy: 'inbound: [{ actions: [{ type: log }] }]',
      coverage: [{ matched: 1, notMatched: 0 }],
    },
  },
});

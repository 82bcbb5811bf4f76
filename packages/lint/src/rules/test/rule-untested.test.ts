import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { POLICY } from './example-tests.ts';
import { RULE_UNTESTED } from './rule-untested.ts';

testRule(it, RULE_UNTESTED, {
  fires: {
    'for rules without a name, and ones that are never asked': {
      policy: `inbound:\n  - «actions: [{ type: log }]»\n  - «expressions: ["req.Method == 'PUT'"]\n    actions: [{ type: deny }]»\n`,
      coverage: [
        { matched: 0, notMatched: 0 },
        { matched: 0, notMatched: 0 },
      ],
      message: 'no test makes this rule match; add one that does',
    },
    'for a rule that always matches in the tests': {
      policy: POLICY.replace('no trace', '«no trace»'),
      coverage: [{ matched: 2, notMatched: 0 }],
      message: 'no test makes this rule not match; add one that does',
    },
    'for a rule that no test reaches': {
      policy: POLICY.replace('no trace', '«no trace»'),
      coverage: [{ matched: 0, notMatched: 0 }],
      message: 'no test makes this rule match, and none makes it not match; add one that does',
    },
  },
  silent: {
    'where there are no tests': POLICY,
    'for a rule without conditions that matches': {
      policy: 'inbound: [{ actions: [{ type: log }] }]',
      coverage: [{ matched: 1, notMatched: 0 }],
    },
  },
});

import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { POLICY, TESTS } from './example-tests.ts';
import { UNKNOWN_RULE } from './unknown-rule.ts';

testRule(it, UNKNOWN_RULE, {
  fires: {
    'with the name that may have been meant': {
      policy: POLICY,
      tests: TESTS.replace('{ outcome: denied }', '{ rules: { «no trac»: matched, inbound 1: matched } }'),
      message: 'unknown rule `no trac`; did you mean `no trace`?',
    },
    'for a number that is too high, and a name that two rules have': {
      policy: POLICY + POLICY.slice(POLICY.indexOf('\n') + 1),
      tests: TESTS.replace('{ outcome: denied }', '{ rules: { «inbound 3»: matched, «no trace»: matched } }'),
      message: 'unknown rule `inbound 3`; did you mean `inbound 1`?',
    },
  },
  silent: { 'where no rule is named': { policy: POLICY, tests: TESTS } },
});

import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { POLICY, TESTS } from './test-file.ts';
import { UNKNOWN_RULE } from './unknown-rule.ts';

testRule(it, UNKNOWN_RULE, {
  fires: {
    'with a suggestion': {
      policy: POLICY,
      tests: TESTS.replace('{ outcome: denied }', '{ rules: { «no TRAC»: matched, inbound 1: matched } }'),
      message: 'unknown rule `no TRAC`; did you mean `no TRACE`?',
    },
    'for a position out of range and an ambiguous name': {
      policy: POLICY + POLICY.slice(POLICY.indexOf('\n') + 1),
      tests: TESTS.replace('{ outcome: denied }', '{ rules: { «inbound 3»: matched, «no TRACE»: matched } }'),
      message: 'unknown rule `inbound 3`; did you mean `inbound 1`?',
    },
  },
  silent: { 'for tests that name no rule': { policy: POLICY, tests: TESTS } },
});

import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { POLICY, TESTS } from './example-tests.ts';
import { FOCUSED } from './focused.ts';

testRule(it, FOCUSED, {
  fires: {
    'with what is left out, and takes it away': {
      policy: POLICY,
      tests: TESTS.replace('    request', '    «only: true»\n    request'),
      message: 'one other test will not be run, because of this `only`; take it out',
      fixed: TESTS,
    },
  },
  silent: {
    'for `only: false`': { policy: POLICY, tests: TESTS.replace('    request', '    only: false\n    request') },
  },
});

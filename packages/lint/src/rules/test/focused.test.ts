import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { FOCUSED } from './focused.ts';
import { POLICY, TESTS } from './test-file.ts';

testRule(it, FOCUSED, {
  fires: {
    'with the number of skipped tests': {
      policy: POLICY,
      tests: TESTS.replace('    request', '    «only: true»\n    request'),
      message: 'one other test will not run because of this `only`; remove it',
      fixed: TESTS,
    },
  },
  silent: {
    'for `only: false`': { policy: POLICY, tests: TESTS.replace('    request', '    only: false\n    request') },
  },
});

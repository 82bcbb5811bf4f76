import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { SKIP_WITHOUT_REASON } from './skip-without-reason.ts';
import { POLICY, TESTS } from './test-file.ts';

testRule(it, SKIP_WITHOUT_REASON, {
  fires: Object.fromEntries(
    ['TODO', 'skip', '"..."', 'yes', 'broken, fixme', 'later!'].map(reason => [
      `for \`${reason}\``,
      {
        policy: POLICY,
        tests: TESTS.replace('    request', `    skip: «${reason}»\n    request`),
      },
    ]),
  ),
  silent: {
    'for a reference to a ticket': {
      policy: POLICY,
      tests: TESTS.replace('    request', '    skip: see NET-1234\n    request'),
    },
  },
});

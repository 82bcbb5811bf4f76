import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { POLICY, TESTS } from './example-tests.ts';
import { UNUSED_FIXTURE } from './unused-fixture.ts';

testRule(it, UNUSED_FIXTURE, {
  fires: {
    'for a name of a list in lines, and takes it away': {
      policy: POLICY,
      tests: TESTS.replace('tests:\n', 'tests: «&all»\n'),
      message: 'nothing repeats `&all`; take the name away',
      fixed: TESTS.replace('tests:\n', 'tests: \n'),
    },
  },
  silent: {
    'for signs in texts and comments': {
      policy: POLICY,
      tests: TESTS.replace('nobody may trace', '"a &b" # &c').replace('everybody may read', 'e &f g'),
    },
    'for a name that is merged in': {
      policy: POLICY,
      tests: `policy: policy.yaml
tests:
  - &first
    name: nobody may trace
    request: { method: TRACE }
    expect: { outcome: denied }
  - { <<: *first, name: again }
`,
    },
  },
});

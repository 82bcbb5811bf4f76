import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { POLICY, TESTS } from './test-file.ts';
import { UNUSED_FIXTURE } from './unused-fixture.ts';

testRule(it, UNUSED_FIXTURE, {
  fires: {
    'for an anchor of a block list': {
      policy: POLICY,
      tests: TESTS.replace('tests:\n', 'tests: «&all»\n'),
      message: 'anchor `&all` is never used; remove it',
      fixed: TESTS.replace('tests:\n', 'tests: \n'),
    },
  },
  silent: {
    'for ampersands in strings and comments': {
      policy: POLICY,
      tests: TESTS.replace('denies TRACE', '"a &b" # &c').replace('passes GET', 'e &f g'),
    },
    'for an anchor that a merge key uses': {
      policy: POLICY,
      tests: `policy: policy.yaml
tests:
  - &first
    name: denies TRACE
    request: { method: TRACE }
    expect: { outcome: denied }
  - { <<: *first, name: again }
`,
    },
  },
});

import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { WEAK_COMPARISON } from './weak-comparison.ts';

testRule(it, WEAK_COMPARISON, {
  fires: {
    'for each value of a list': {
      policy: when("!(req.Headers['X-Api-Key'][0] in [«'k-1'», «'k-2'»])"),
      message:
        'everyone who can read the policy knows this value of `X-Api-Key`; verify it upstream or with an authentication action',
    },
    'for a parameter': {
      policy: when("hasQueryParam('token') && getQueryParam('token')[0] == «'k-1'»"),
      message:
        'everyone who can read the policy knows this value of `token`; verify it upstream or with an authentication action',
    },
  },
  silent: {
    'for other parameters': when("hasQueryParam('page') && getQueryParam('page')[0] == '1'"),
    'for tests of presence': when("!hasReqHeader('X-Api-Key') || req.Headers['X-Api-Key'][0] == ''"),
    'for a rule that only logs': when("req.Headers['X-Api-Key'][0] == 'k-1'", { action: '{type: log}' }),
    'for headers without credentials': when("req.Headers['X-Debug'][0] == 'on'"),
  },
});

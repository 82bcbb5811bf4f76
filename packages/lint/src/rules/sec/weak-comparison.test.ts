import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { WEAK_COMPARISON } from './weak-comparison.ts';

testRule(it, WEAK_COMPARISON, {
  fires: {
    'for one of several': {
      policy: when("!(req.Headers['X-Api-Key'][0] in [«'k-1'», «'k-2'»])"),
      message:
        'whoever reads the policy knows this value of `X-Api-Key`; let the upstream check it, or an action that is made for it',
    },
  },
  silent: {
    'for whether there is one': when("!hasReqHeader('X-Api-Key') || req.Headers['X-Api-Key'][0] == ''"),
    'for notes': when("req.Headers['X-Api-Key'][0] == 'k-1'", { action: '{type: log}' }),
    'for other headers': when("req.Headers['X-Debug'][0] == 'on'"),
  },
});

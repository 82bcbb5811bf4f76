import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { DISABLED_POLICY } from './disabled-policy.ts';

testRule(it, DISABLED_POLICY, {
  fires: {
    'when it is switched off': {
      policy: '{"inbound": [{"actions": [{"type": "deny"}]}], "«enabled»": false}',
      message: 'the policy is switched off, so that everything passes',
    },
    'when it has no rule': {
      policy: '«inbound»: []\noutbound:\n',
      message: 'the policy has no rule, so that everything passes',
    },
    'for each of several documents': '«enabled»: false\n---\n«on_http_request»: []\n'.replace(
      'on_http_request',
      'inbound',
    ),
  },
  silent: {
    'for a rule in either phase': 'outbound: [{actions: [{type: log}]}]',
    'for a policy that is switched on': 'enabled: true\ninbound: [{actions: [{type: deny}]}]',
  },
});

import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { DISABLED_POLICY } from './disabled-policy.ts';

testRule(it, DISABLED_POLICY, {
  fires: {
    'when `enabled` is false': {
      policy: '{"inbound": [{"actions": [{"type": "deny"}]}], "«enabled»": false}',
      message: 'policy is disabled, so all traffic passes',
    },
    'when no phase has a rule': {
      policy: '«inbound»: []\noutbound:\n',
      message: 'policy has no rules, so all traffic passes',
    },
    'for each policy of a multi-document file': '«enabled»: false\n---\n«on_http_request»: []\n'.replace(
      'on_http_request',
      'inbound',
    ),
  },
  silent: {
    'for a rule in either phase': 'outbound: [{actions: [{type: log}]}]',
    'for an enabled policy': 'enabled: true\ninbound: [{actions: [{type: deny}]}]',
  },
});

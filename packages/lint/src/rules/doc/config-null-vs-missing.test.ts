import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { CONFIG_NULL_VS_MISSING } from './config-null-vs-missing.ts';

testRule(it, CONFIG_NULL_VS_MISSING, {
  fires: {
    'for an empty map and for null': {
      policy: 'inbound: [{name: a, actions: [{type: log, "«config»": null}, {type: deny, «config»: {}}]}]',
      message: '`config` is empty, which is the same as having none; remove it',
      fixed: 'inbound: [{name: a, actions: [{type: log}, {type: deny}]}]',
    },
    'when a comment follows on the line': {
      policy: 'inbound:\n- name: a\n  actions:\n  - «config»: {} # all defaults\n    type: deny\n',
    },
  },
  silent: {
    'for a configuration with a field': 'inbound: [{name: a, actions: [{type: deny, config: {status_code: 403}}]}]',
    'for an action without a configuration': 'inbound: [{name: a, actions: [{type: deny}]}]',
  },
});

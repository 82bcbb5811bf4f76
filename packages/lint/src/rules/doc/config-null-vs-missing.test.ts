import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { CONFIG_NULL_VS_MISSING } from './config-null-vs-missing.ts';

testRule(it, CONFIG_NULL_VS_MISSING, {
  fires: {
    'for an empty map and for nothing': {
      policy: 'inbound: [{name: a, actions: [{type: log, "«config»": null}, {type: deny, «config»: {}}]}]',
      message: 'the configuration says nothing, which means the same as leaving it out',
      fixed: 'inbound: [{name: a, actions: [{type: log}, {type: deny}]}]',
    },
    'and takes its line out': {
      policy: 'inbound:\n- name: a\n  actions:\n  - «config»: {} # all defaults\n    type: deny\n',
    },
  },
  silent: {
    'for a configuration that says something':
      'inbound: [{name: a, actions: [{type: deny, config: {status_code: 403}}]}]',
    'for none': 'inbound: [{name: a, actions: [{type: deny}]}]',
  },
});

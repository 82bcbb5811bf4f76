import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { EMPTY_PHASE } from './empty-phase.ts';

testRule(it, EMPTY_PHASE, {
  fires: {
    'for an empty list': {
      policy: 'inbound: [{name: a, actions: [{type: deny}]}]\n«outbound»: []\n',
      message: '`outbound` has no rules, which means the same as leaving it out',
      fixed: 'inbound: [{name: a, actions: [{type: deny}]}]\n',
    },
    'for nothing, in JSON as well': {
      policy: '{"enabled": true, "«inbound»": null}',
      fixed: '{"enabled": true}',
    },
    'without a fix where nothing would be left': { policy: '«inbound»: []', fixed: 'inbound: []' },
    'for phases of other profiles': { policy: '«on_http_response»: []', profile: 'modern' },
  },
  silent: {
    'for a phase with rules': { policy: 'inbound: [{name: a, actions: [{type: deny}]}]' },
    'for other keys': { policy: 'enabled: null' },
  },
});

import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { EMPTY_PHASE } from './empty-phase.ts';

testRule(it, EMPTY_PHASE, {
  fires: {
    'for an empty list': {
      policy: 'inbound: [{name: a, actions: [{type: deny}]}]\n«outbound»: []\n',
      message: '`outbound` has no rules, which is the same as having no such key; remove it',
      fixed: 'inbound: [{name: a, actions: [{type: deny}]}]\n',
    },
    'for null in JSON': {
      policy: '{"enabled": true, "«inbound»": null}',
      fixed: '{"enabled": true}',
    },
    'without a fix when it is the only key': { policy: '«inbound»: []', fixed: 'inbound: []' },
    'in the modern profile': { policy: '«on_http_response»: []', profile: 'modern' },
  },
  silent: {
    'for a phase with rules': { policy: 'inbound: [{name: a, actions: [{type: deny}]}]' },
    'for keys that are not phases': { policy: 'enabled: null' },
  },
});

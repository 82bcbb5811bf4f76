import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { KEY_ORDER } from './key-order.ts';

testRule(it, KEY_ORDER, {
  fires: {
    'for actions, rules and policies': {
      policy:
        'outbound: [{actions: [{config: {}, «type»: log}], «name»: a}]\n«inbound»: [{name: a, actions: [{type: log}]}]\n«enabled»: true\n',
      message: '`type` comes before `config`; `tollgate fmt` puts keys in order',
    },
  },
  silent: {
    'for keys in order': 'enabled: true\ninbound: [{name: a, actions: [{type: log, config: {}}]}]\noutbound: []\n',
    'for configurations, which have no order': 'inbound: [{actions: [{type: deny, config: {status_code: 404}}]}]',
  },
});

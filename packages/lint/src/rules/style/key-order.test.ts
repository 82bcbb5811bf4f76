import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { KEY_ORDER } from './key-order.ts';

testRule(it, KEY_ORDER, {
  fires: {
    'and suggests the usual order': {
      policy: `inbound:\n  - actions:\n      - type: log\n      - type: deny\n    «expressions»:\n      - req.Method == 'PUT'\n    «name»: a`,
      suggested: `inbound:\n  - name: a\n    expressions:\n      - req.Method == 'PUT'\n    actions:\n      - type: log\n      - type: deny`,
    },
    'in JSON': {
      policy: '{"inbound": [{"actions": [{"config": {}, "«type»": "deny"}], "«name»": "a"}]}',
      suggested: '{"inbound": [{"actions": [{"type": "deny", "config": {}}], "name": "a"}]}',
    },
    'without a fix when a comment is between the keys': {
      policy: `inbound:\n  - actions: [{ type: log }] # why\n    «name»: a\n`,
      fixed: `inbound:\n  - actions: [{ type: log }] # why\n    name: a\n`,
    },
    'in actions, rules and policies': {
      policy:
        'outbound: [{actions: [{config: {}, «type»: log}], «name»: a}]\n«inbound»: [{name: a, actions: [{type: log}]}]\n«enabled»: true\n',
      message: '`type` belongs before `config`; run `tollgate fmt` to sort keys',
    },
  },
  silent: {
    'for keys in order': 'enabled: true\ninbound: [{name: a, actions: [{type: log, config: {}}]}]\noutbound: []\n',
    'for configurations, whose keys have no usual order':
      'inbound: [{actions: [{type: deny, config: {status_code: 404}}]}]',
  },
});

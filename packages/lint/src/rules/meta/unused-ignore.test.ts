import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { EMPTY_PHASE } from '../doc/empty-phase.ts';
import { IN_ON_HEADER_LIST } from '../type/in-on-header-list.ts';
import { UNUSED_IGNORE } from './unused-ignore.ts';

testRule(it, UNUSED_IGNORE, {
  beside: [EMPTY_PHASE, IN_ON_HEADER_LIST],
  fires: {
    'at each name that suppresses nothing': {
      policy: `inbound:\n  - name: a # tollgate-ignore «doc/empty-phase», «type/in-on-header-list» -- why\n    actions: [{ type: deny }]\n`,
      message: '`doc/empty-phase` suppresses nothing here; remove it',
      suggested: 'inbound:\n  - name: a\n    actions: [{ type: deny }]\n',
    },
    'and removes only unused names': {
      policy: '# tollgate-ignore doc/empty-phase, «type/in-on-header-list»\noutbound: []\n',
      suggested: '# tollgate-ignore doc/empty-phase\noutbound: []\n',
    },
    'and removes the whole line of a comment that stands alone': {
      policy: 'enabled: true\n  # tollgate-ignore «doc/empty-phase»\ninbound: [{name: a, actions: [{type: deny}]}]\n',
      fixed: 'enabled: true\ninbound: [{name: a, actions: [{type: deny}]}]\n',
    },
    'for analysis codes and categories': {
      policy: '# tollgate-ignore «config/*», «policy/unknown-key», «doc/*»\nenabled: true\n',
    },
    'without a fix for a block': {
      policy: '# tollgate-ignore-start «doc/empty-phase»\nenabled: true\n# tollgate-ignore-end\noutbound: []\n',
      fixed: '# tollgate-ignore-start doc/empty-phase\nenabled: true\n# tollgate-ignore-end\noutbound: []\n',
    },
  },
  silent: {
    'for a suppression in use': '# tollgate-ignore doc/empty-phase -- wanted\noutbound: []\n',
    'for lint rules that do not run': '# tollgate-ignore style/yoda, url/*\noutbound: []\n',
    'for an expired suppression': '# tollgate-ignore doc/empty-phase -- until:2020-01-01\noutbound: []\n',
  },
});

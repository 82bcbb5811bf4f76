import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { EMPTY_PHASE } from '../doc/empty-phase.ts';
import { IN_ON_HEADER_LIST } from '../type/in-on-header-list.ts';
import { IGNORE_WITHOUT_REASON } from './ignore-without-reason.ts';

testRule(it, IGNORE_WITHOUT_REASON, {
  beside: [EMPTY_PHASE, IN_ON_HEADER_LIST],
  fires: {
    'for every kind of suppression': {
      policy: '«# tollgate-ignore-file doc/empty-phase»\noutbound: [] «# tollgate-ignore doc/empty-phase --»\n',
      message: 'suppression has no reason; add one after `-- `',
    },
  },
  silent: {
    'for a suppression with a reason': 'outbound: [] # tollgate-ignore doc/empty-phase -- wanted\n',
  },
});

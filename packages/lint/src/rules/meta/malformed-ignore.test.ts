import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { EMPTY_PHASE } from '../doc/empty-phase.ts';
import { IN_ON_HEADER_LIST } from '../type/in-on-header-list.ts';
import { MALFORMED_IGNORE } from './malformed-ignore.ts';

testRule(it, MALFORMED_IGNORE, {
  beside: [EMPTY_PHASE, IN_ON_HEADER_LIST],
  fires: {
    'for an invalid date': {
      policy: '«# tollgate-ignore doc/empty-phase -- until:2027-13-01»\noutbound: []\n',
      message: 'expected a date such as `2027-01-01` after `until:`, found `2027-13-01`',
    },
    'for an unknown kind of suppression': {
      policy: '«# tollgate-ignore-next doc/empty-phase»\noutbound: []\n',
      message: 'unknown suppression `tollgate-ignore-next`; use `-start`, `-end` or `-file`',
    },
    'for a block without an end': {
      policy: '«# tollgate-ignore-start doc/empty-phase»\noutbound: []\n',
      message: '`tollgate-ignore-start` without `tollgate-ignore-end`; add one, or use `tollgate-ignore-file`',
    },
    'for an end without a start': {
      policy: '«# tollgate-ignore-end»\noutbound: []\n',
      message: '`tollgate-ignore-end` without `tollgate-ignore-start`; remove it',
    },
  },
  silent: {
    'for comments that mention suppressions': '# see tollgate-ignore\n# tollgate-ignored\noutbound: []\n',
  },
});

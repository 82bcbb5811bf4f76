import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { EMPTY_PHASE } from '../doc/empty-phase.ts';
import { IN_ON_HEADER_LIST } from '../type/in-on-header-list.ts';
import { IGNORE_EXPIRED } from './ignore-expired.ts';

testRule(it, IGNORE_EXPIRED, {
  beside: [EMPTY_PHASE, IN_ON_HEADER_LIST],
  fires: {
    'at the date': {
      policy: '# tollgate-ignore doc/empty-phase -- «until: 2029-12-31» soon\noutbound: []\n',
      message: 'suppression expired on 2029-12-31; fix the finding, or set a later date',
    },
  },
  silent: {
    'on its last day': '# tollgate-ignore doc/empty-phase -- until:2030-01-01\noutbound: []\n',
  },
});

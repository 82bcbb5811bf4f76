import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { EMPTY_PHASE } from '../doc/empty-phase.ts';
import { IN_ON_HEADER_LIST } from '../type/in-on-header-list.ts';
import { UNKNOWN_RULE } from './unknown-rule.ts';

testRule(it, UNKNOWN_RULE, {
  beside: [EMPTY_PHASE, IN_ON_HEADER_LIST],
  fires: {
    'with what was meant': {
      policy: '# tollgate-ignore «type/in-on-header-lists»\nenabled: true\n',
      message: 'there is no lint rule `type/in-on-header-lists`; did you mean `type/in-on-header-list`?',
      suggested: '# tollgate-ignore type/in-on-header-list\nenabled: true\n',
    },
    'with the category that was left out': {
      policy: '# tollgate-ignore «in-on-header-list»\nenabled: true\n',
      suggested: '# tollgate-ignore type/in-on-header-list\nenabled: true\n',
    },
    'without a guess where nothing is near': {
      policy: '# tollgate-ignore «nothing/at-all-like-it»\nenabled: true\n',
      message: 'there is no lint rule `nothing/at-all-like-it`',
    },
  },
  silent: {
    'for codes of the analysis, ids that stand for them, and categories':
      '# tollgate-ignore config/unknown-key, doc/parse-error, type/*, yaml/* -- some\noutbound: []\n',
  },
});

import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { EMPTY_PHASE } from '../doc/empty-phase.ts';
import { IN_ON_HEADER_LIST } from '../type/in-on-header-list.ts';
import { UNKNOWN_RULE } from './unknown-rule.ts';

testRule(it, UNKNOWN_RULE, {
  beside: [EMPTY_PHASE, IN_ON_HEADER_LIST],
  fires: {
    'with a suggestion': {
      policy: '# tollgate-ignore «type/in-on-header-lists»\nenabled: true\n',
      message: 'unknown lint rule `type/in-on-header-lists`; did you mean `type/in-on-header-list`?',
      suggested: '# tollgate-ignore type/in-on-header-list\nenabled: true\n',
    },
    'and suggests the missing category': {
      policy: '# tollgate-ignore «in-on-header-list»\nenabled: true\n',
      suggested: '# tollgate-ignore type/in-on-header-list\nenabled: true\n',
    },
    'without a suggestion when no id is similar': {
      policy: '# tollgate-ignore «nothing/at-all-like-it»\nenabled: true\n',
      message: 'unknown lint rule `nothing/at-all-like-it`',
    },
  },
  silent: {
    'for analysis codes, their aliases and categories':
      '# tollgate-ignore config/unknown-key, doc/parse-error, type/*, yaml/* -- some\noutbound: []\n',
  },
});

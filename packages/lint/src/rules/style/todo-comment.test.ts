import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { TODO_COMMENT } from './todo-comment.ts';

testRule(it, TODO_COMMENT, {
  fires: {
    'at each mark': {
      policy: '# «TODO» and «FIXME»\ninbound: []\n',
      message: 'comment contains `TODO`; finish the work, or track it elsewhere',
    },
  },
  silent: {
    'for strings that look like comments': { policy: 'inbound: [{name: "# TODO", actions: [{type: deny}]}]' },
    'for words that only contain a marker': { policy: '# mastodons\ninbound: []\n# TODOS' },
  },
});

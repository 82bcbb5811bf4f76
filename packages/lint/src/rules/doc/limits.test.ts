import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { LIMITS } from './limits.ts';

const options = { rules: 2, expressions: 1, actions: 1 };

testRule(it, LIMITS, {
  fires: {
    'at the first rule that is too many, of each phase': {
      policy:
        'inbound: [{name: a, actions: [{type: log}]}, {name: b, actions: [{type: log}]}, {«name»: c, actions: [{type: log}]}]\n' +
        'outbound: [{name: a, actions: [{type: log}]}]',
      message: '`inbound` has 3 rules, and 2 are accepted; from here on there are too many',
      options,
    },
    'for conditions and actions': {
      policy: `inbound: [{«expressions»: ["req.Method == 'A'", "req.Host == 'B'"], «actions»: [{type: log}, {type: log}]}]`,
      message: 'the rule has 2 expressions, and 1 are accepted',
      options,
    },
  },
  silent: {
    'for as many as are accepted': {
      policy: "inbound: [{expressions: [req.Method == 'A'], actions: [{type: log}]}]",
      options,
    },
    'for what is usual': 'inbound: [{actions: [{type: log}, {type: log}]}]',
  },
});

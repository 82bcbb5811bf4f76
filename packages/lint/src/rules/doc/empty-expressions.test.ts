import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { EMPTY_EXPRESSIONS } from './empty-expressions.ts';

testRule(it, EMPTY_EXPRESSIONS, {
  fires: {
    'at the key': {
      policy: '{"outbound": [{"name": "a", "«expressions»": [], "actions": [{"type": "log"}]}]}',
      message: 'the rule matches everything, as its list of conditions is empty; add one, or leave `expressions` out',
    },
  },
  silent: {
    'for a rule without the key': 'inbound: [{name: a, actions: [{type: deny}]}]',
    'for a rule with a condition': "inbound: [{name: a, expressions: [req.Method == 'PUT'], actions: [{type: deny}]}]",
    'for nothing where the list would be': 'inbound: [{name: a, expressions: , actions: [{type: deny}]}]',
  },
});

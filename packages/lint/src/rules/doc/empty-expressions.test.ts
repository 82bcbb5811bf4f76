import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { EMPTY_EXPRESSIONS } from './empty-expressions.ts';

testRule(it, EMPTY_EXPRESSIONS, {
  fires: {
    'at the key': {
      policy: '{"outbound": [{"name": "a", "«expressions»": [], "actions": [{"type": "log"}]}]}',
      message: 'rule matches everything because `expressions` is empty; add an expression, or remove the key',
    },
  },
  silent: {
    'for a rule without the key': 'inbound: [{name: a, actions: [{type: deny}]}]',
    'for a rule with an expression':
      "inbound: [{name: a, expressions: [req.Method == 'PUT'], actions: [{type: deny}]}]",
    'for a null value': 'inbound: [{name: a, expressions: , actions: [{type: deny}]}]',
  },
});

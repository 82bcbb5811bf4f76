import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { LONG_EXPRESSION } from './long-expression.ts';

const options = { max: 2 };
const block = (entry: string) => `inbound:\n- expressions:\n    - ${entry}\n  actions: [{type: deny}]\n`;

testRule(it, LONG_EXPRESSION, {
  fires: {
    'and splits an entry of a block list': {
      policy: block("«req.Host == 'a' && (req.Path == 'b' || req.Path == 'c')»"),
      message: 'condition has 5 operators, more than 2; split it at `&&` into entries of `expressions`',
      fixed: block("'req.Host == ''a'''\n    - 'req.Path == ''b'' || req.Path == ''c'''"),
      options,
    },
    'and splits an entry in JSON': {
      policy: `{"inbound": [{"expressions": [«"req.Host == 'a' && !(req.Path == 'b')"»], "actions": [{"type": "deny"}]}]}`,
      fixed: `{"inbound": [{"expressions": ["req.Host == 'a'", "!(req.Path == 'b')"], "actions": [{"type": "deny"}]}]}`,
      options,
    },
    'without a fix for a disjunction': {
      policy: block("«req.Host == 'a' || req.Path == 'c'»"),
      message: 'condition has 3 operators, more than 2; split it into several rules',
      fixed: block("req.Host == 'a' || req.Path == 'c'"),
      options,
    },
  },
  silent: {
    'for as many operators as allowed': { policy: block("req.Host == 'a' && req.Path.startsWith('c')"), options },
    'for calls and indices, which are not operators': {
      policy: block("req.Headers['a'][0].lowerAscii().contains('b')"),
      options,
    },
  },
});

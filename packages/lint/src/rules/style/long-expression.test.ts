import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { LONG_EXPRESSION } from './long-expression.ts';

const options = { max: 2 };
const block = (entry: string) => `inbound:\n- expressions:\n    - ${entry}\n  actions: [{type: deny}]\n`;

testRule(it, LONG_EXPRESSION, {
  fires: {
    'and splits entries of a list': {
      policy: block("«req.Host == 'a' && (req.Path == 'b' || req.Path == 'c')»"),
      message: 'the condition has 5 operators, and 2 are easy to read; split it at `&&` into entries of `expressions`',
      fixed: block("'req.Host == ''a'''\n    - 'req.Path == ''b'' || req.Path == ''c'''"),
      options,
    },
    'and splits them in JSON': {
      policy: `{"inbound": [{"expressions": [«"req.Host == 'a' && !(req.Path == 'b')"»], "actions": [{"type": "deny"}]}]}`,
      fixed: `{"inbound": [{"expressions": ["req.Host == 'a'", "!(req.Path == 'b')"], "actions": [{"type": "deny"}]}]}`,
      options,
    },
    'without a fix for what is no conjunction': {
      policy: block("«req.Host == 'a' || req.Path == 'c'»"),
      message: 'the condition has 3 operators, and 2 are easy to read; give its parts rules of their own',
      fixed: block("req.Host == 'a' || req.Path == 'c'"),
      options,
    },
  },
  silent: {
    'for few operators': { policy: block("req.Host == 'a' && req.Path.startsWith('c')"), options },
    'for calls and indices': { policy: block("req.Headers['a'][0].lowerAscii().contains('b')"), options },
  },
});

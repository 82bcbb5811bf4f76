import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { QUOTE_STYLE } from './quote-style.ts';

const rule = (expression: string) => `inbound: [{expressions: [${expression}], actions: [{type: deny}]}]`;

testRule(it, QUOTE_STYLE, {
  fires: {
    'in double quotes': {
      policy: rule('"req.Method == «\\"A\\"» || req.Host == «\\"b\\"»"'),
      message: 'quotes of "A" are escaped here; write \'A\'',
      fixed: rule("\"req.Method == 'A' || req.Host == 'b'\""),
    },
    'in single quotes': {
      policy: rule("'req.Method == «''A''»'"),
      fixed: rule('\'req.Method == "A"\''),
    },
  },
  silent: {
    'for quotes that need no escape': rule("\"req.Method == 'A'\", 'req.Host == \"b\"', req.Path == '/'"),
    'for strings that contain quotes': rule('"req.Method == \\"it\'s\\""'),
  },
});

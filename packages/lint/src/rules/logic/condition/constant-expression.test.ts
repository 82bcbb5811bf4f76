import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { CONSTANT_EXPRESSION } from './constant-expression.ts';

testRule(it, CONSTANT_EXPRESSION, {
  fires: {
    'and removes one that always holds, the list where it is the only one': {
      policy: `inbound:\n  - name: a\n    expressions: ["«1 == 1»"]\n    actions: [{ type: deny }]\n`,
      suggested: `inbound:\n  - name: a\n    actions: [{ type: deny }]\n`,
    },
    'and removes it from others': {
      policy: `inbound:\n  - expressions:\n      - req.Method == 'PUT'\n      - "«true»"\n    actions: [{ type: deny }]\n`,
      suggested: `inbound:\n  - expressions:\n      - req.Method == 'PUT'\n    actions: [{ type: deny }]\n`,
    },
    'for a condition that is a literal': {
      policy: when('«true»'),
      message: 'this is always true, whatever the traffic; remove it, or ask something of the traffic',
    },
    'for the largest part only': when("«1 + 1 == 3 && 'a' == 'b'» || req.Method == 'A'"),
    'for what spoils the whole condition': when("req.Method == 'A' && «'a'.startsWith('b')»"),
    'for what always fails': {
      policy: when('«1 / 0 == 1»'),
      message: 'this always fails, whatever the traffic; remove it, or ask something of the traffic',
    },
    'for a range that is none': when("«inCidrRange('10.0.0.1', 'everybody')»"),
    'for loops over literals': when("«['a', 'b'].exists(x, x == 'b')»"),
  },
  silent: {
    'for what reads traffic, and yet is always true': when("req.Method != 'A' || req.Method != 'B'"),
    'for a literal beside what is compared with it': when("req.Method == 'A' + 'B'"),
    'for what depends on chance': {
      policy: when('rand.int(0, 9) < 5', { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
});

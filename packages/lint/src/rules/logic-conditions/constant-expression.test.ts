import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CONSTANT_EXPRESSION } from './constant-expression.ts';

testRule(it, CONSTANT_EXPRESSION, {
  fires: {
    'and suggests removing the list if it is the only entry': {
      policy: `inbound:\n  - name: a\n    expressions: ["«1 == 1»"]\n    actions: [{ type: deny }]\n`,
      suggested: `inbound:\n  - name: a\n    actions: [{ type: deny }]\n`,
    },
    'and suggests removing it from other entries': {
      policy: `inbound:\n  - expressions:\n      - req.Method == 'PUT'\n      - "«true»"\n    actions: [{ type: deny }]\n`,
      suggested: `inbound:\n  - expressions:\n      - req.Method == 'PUT'\n    actions: [{ type: deny }]\n`,
    },
    'for a literal': {
      policy: when('«true»'),
      message: 'expression is always true, whatever the request; remove it, or test the request',
    },
    'for the largest constant part only': when("«1 + 1 == 3 && 'a' == 'b'» || req.Method == 'A'"),
    'for a part that makes the whole condition false': when("req.Method == 'A' && «'a'.startsWith('b')»"),
    'for an expression that always fails': {
      policy: when('«1 / 0 == 1»'),
      message: 'expression always fails, whatever the request; remove it, or test the request',
    },
    'for an invalid range': when("«inCidrRange('10.0.0.1', 'everybody')»"),
    'for macros over literals': when("«['a', 'b'].exists(x, x == 'b')»"),
  },
  silent: {
    'for an expression that reads the request and is always true': when("req.Method != 'A' || req.Method != 'B'"),
    'for a constant operand of a comparison': when("req.Method == 'A' + 'B'"),
    'for random values': {
      policy: when('rand.int(0, 9) < 5', { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
});

import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { ORDER_SENSITIVE_PAIR } from './order-sensitive-pair.ts';

const DENY = 'actions: [{type: deny}]';
const ANSWER = 'actions: [{type: custom-response}]';

testRule(it, ORDER_SENSITIVE_PAIR, {
  fires: {
    'naming what both match': {
      policy: `inbound:
  - {name: a, expressions: ["req.Method == 'A'"], ${DENY}}
  - {name: «b», expressions: ["req.Path.startsWith('/b')", "inCidrRange(conn.ClientIP, '10.0.0.0/8')"], ${ANSWER}}
`,
      message:
        'this rule and rule 1 `a` both match traffic with `req.Method == "A" && req.Path == "/b" && conn.ClientIP == "10.0.0.0"`, and end it differently; say in a comment which is to win',
    },
    'for headers': `inbound:
  - {expressions: ["req.Headers['X'][0] == '1'"], ${DENY}}
  - {«expressions»: ["!('Y' in req.Headers)"], ${ANSWER}}
`,
  },
  silent: {
    'where a comment stands at one of them': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}} # wins
  - {expressions: ["req.Path == '/b'"], ${ANSWER}}
`,
    'for an exception before what it is one of': `inbound:
  - {expressions: ["req.Method == 'A' && req.Path == '/b'"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], ${ANSWER}}
`,
    'for what no request has': `inbound:
  - {expressions: ["req.Path == '/a'"], ${DENY}}
  - {expressions: ["req.URL == ''"], ${ANSWER}}
`,
    'for what does not overlap': `inbound:
  - {expressions: ["req.Method == 'A' && req.Path == '/b'"], ${DENY}}
  - {expressions: ["req.Method == 'B'"], ${ANSWER}}
`,
    'for the same end': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Path == '/b'"], ${DENY}}
`,
    'where no common input can be shown': `inbound:
  - {expressions: ["req.Path.matches('^[a-c]+[0-9]{3}$')"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], ${ANSWER}}
`,
  },
});

import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { ORDER_SENSITIVE_PAIR } from './order-sensitive-pair.ts';

const DENY = 'actions: [{type: deny}]';
const ANSWER = 'actions: [{type: custom-response}]';

testRule(it, ORDER_SENSITIVE_PAIR, {
  fires: {
    'with an example that both match': {
      policy: `inbound:
  - {name: a, expressions: ["req.Method == 'A'"], ${DENY}}
  - {name: «b», expressions: ["req.Path.startsWith('/b')", "inCidrRange(conn.ClientIP, '10.0.0.0/8')"], ${ANSWER}}
`,
      message:
        'this rule and rule 1 `a` both match A https://example.com/b from 10.0.0.0, with different outcomes; state the precedence in a comment',
    },
    'for headers': `inbound:
  - {expressions: ["req.Headers['X'][0] == '1'"], ${DENY}}
  - {«expressions»: ["!('Y' in req.Headers)"], ${ANSWER}}
`,
  },
  silent: {
    'when one of them has a comment': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}} # wins
  - {expressions: ["req.Path == '/b'"], ${ANSWER}}
`,
    'for an exception before the general rule': `inbound:
  - {expressions: ["req.Method == 'A' && req.Path == '/b'"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], ${ANSWER}}
`,
    'for requests that cannot exist': `inbound:
  - {expressions: ["req.Path == '/a'"], ${DENY}}
  - {expressions: ["req.URL == ''"], ${ANSWER}}
`,
    'for disjoint conditions': `inbound:
  - {expressions: ["req.Method == 'A' && req.Path == '/b'"], ${DENY}}
  - {expressions: ["req.Method == 'B'"], ${ANSWER}}
`,
    'for the same outcome': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Path == '/b'"], ${DENY}}
`,
    'when no common request can be found': `inbound:
  - {expressions: ["req.Path.matches('^[a-c]+[0-9]{3}$')"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], ${ANSWER}}
`,
  },
});

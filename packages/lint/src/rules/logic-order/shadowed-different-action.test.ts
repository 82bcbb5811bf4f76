import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { SHADOWED_DIFFERENT_ACTION } from './shadowed-different-action.ts';

const DENY = 'actions: [{type: deny}]';
const ANSWER = 'actions: [{type: custom-response}]';

testRule(it, SHADOWED_DIFFERENT_ACTION, {
  fires: {
    'for a response after a denial': {
      policy: `inbound:
  - {name: a, expressions: ["req.Method == 'A'"], ${DENY}}
  - {name: «b», expressions: ["req.Method == 'A' && req.Host == 'x'"], ${ANSWER}}
`,
      message:
        '`custom-response` never runs: rule 1 `a` handles all of its traffic with `deny`; move this rule before it',
    },
    'for another configuration of the same action': `inbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: deny, config: {status_code: 404}}]}
  - {«expressions»: ["req.Method == 'A'"], actions: [{type: deny, config: {status_code: 403}}]}
`,
    'in the modern profile': {
      policy: `on_http_request:
  - {expressions: ["req.method != 'A'"], ${DENY}}
  - {expressions: ["req.method == 'A'"], actions: [{type: custom-response, config: {status_code: 404}}]}
  - {«expressions»: ["req.host == 'x'"], ${ANSWER}}
`,
      profile: 'modern',
    },
  },
  silent: {
    'when only a log action is unreachable': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], actions: [{type: log, config: {metadata: {a: b}}}]}
`,
    'when the outcome is the same': `inbound:
  - {expressions: ["req.Method in ['A', 'B']"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], ${DENY}}
`,
    'after a catch-all rule, which `logic/catch-all-not-last` reports': `inbound:
  - {${DENY}}
  - {expressions: ["req.Method == 'A'"], ${ANSWER}}
`,
  },
});

import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { SHADOWED_DIFFERENT_ACTION } from './shadowed-different-action.ts';

const DENY = 'actions: [{type: deny}]';
const ANSWER = 'actions: [{type: custom-response}]';

testRule(it, SHADOWED_DIFFERENT_ACTION, {
  fires: {
    'for an answer behind a refusal': {
      policy: `inbound:
  - {name: a, expressions: ["req.Method == 'A'"], ${DENY}}
  - {name: «b», expressions: ["req.Method == 'A' && req.Host == 'x'"], ${ANSWER}}
`,
      message:
        'the `custom-response` of this rule never happens: rule 1 `a` ends all that it would match, by `deny`; move the rule before it',
    },
    'for another configuration of the same action': `inbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: deny, config: {status_code: 404}}]}
  - {«expressions»: ["req.Method == 'A'"], actions: [{type: deny, config: {status_code: 403}}]}
`,
    'in other profiles': {
      policy: `on_http_request:
  - {expressions: ["req.method != 'A'"], ${DENY}}
  - {expressions: ["req.method == 'A'"], actions: [{type: custom-response, config: {status_code: 404}}]}
  - {«expressions»: ["req.host == 'x'"], ${ANSWER}}
`,
      profile: 'modern',
    },
  },
  silent: {
    'where nothing that decides is lost': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], actions: [{type: log, config: {metadata: {a: b}}}]}
`,
    'where the same is decided': `inbound:
  - {expressions: ["req.Method in ['A', 'B']"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], ${DENY}}
`,
    'behind a rule that matches everything, which is another lint rule': `inbound:
  - {${DENY}}
  - {expressions: ["req.Method == 'A'"], ${ANSWER}}
`,
  },
});

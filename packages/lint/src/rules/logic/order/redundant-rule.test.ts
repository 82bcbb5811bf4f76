import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { REDUNDANT_RULE } from './redundant-rule.ts';

const DENY = 'actions: [{type: deny}]';

testRule(it, REDUNDANT_RULE, {
  fires: {
    'with rules between them that match none of it': {
      policy: `inbound:
  - {name: «a», expressions: ["req.Method == 'A'", "req.Host == 'x'"], ${DENY}}
  - {expressions: ["req.Method == 'B'"], actions: [{type: url-rewrite, config: {from: a, to: b}}]}
  - {name: c, expressions: ["req.Method in ['A', 'C']"], ${DENY}}
`,
      message: 'rule 3 `c` does the same for all that this rule matches; remove this one, or make it differ',
      suggested: `inbound:
  - {expressions: ["req.Method == 'B'"], actions: [{type: url-rewrite, config: {from: a, to: b}}]}
  - {name: c, expressions: ["req.Method in ['A', 'C']"], ${DENY}}
`,
    },
    'before a rule that ends everything': `inbound:
  - {«expressions»: ["req.Headers['X'][0] == 'a'"], ${DENY}}
  - {${DENY}}
`,
  },
  silent: {
    'where the other one ends in another way': `inbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: deny, config: {status_code: 404}}]}
  - {${DENY}}
`,
    'where a rule between them may match': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Host == 'x'"], actions: [{type: custom-response}]}
  - {expressions: ["req.Method == 'A'", "req.Path != '/'"], ${DENY}}
`,
    'where the other one matches less': `inbound:
  - {expressions: ["req.Method in ['A', 'B']"], ${DENY}}
  - {expressions: ["req.Method == 'C'"], ${DENY}}
`,
    'for a rule that never matches, which is another lint rule': `inbound:
  - {expressions: ["req.Method == 'A' && req.Method == 'B'"], ${DENY}}
  - {${DENY}}
`,
    'for rules that go on': `inbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: log, config: {metadata: {a: b}}}]}
  - {actions: [{type: log, config: {metadata: {a: b}}}]}
`,
    'for the first of two equal rules': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], ${DENY}}
`,
  },
});

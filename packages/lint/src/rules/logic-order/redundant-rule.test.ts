import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { REDUNDANT_RULE } from './redundant-rule.ts';

const DENY = 'actions: [{type: deny}]';

testRule(it, REDUNDANT_RULE, {
  fires: {
    'with unrelated rules between them': {
      policy: `inbound:
  - {name: «a», expressions: ["req.Method == 'A'", "req.Host == 'x'"], ${DENY}}
  - {expressions: ["req.Method == 'B'"], actions: [{type: url-rewrite, config: {from: a, to: b}}]}
  - {name: c, expressions: ["req.Method in ['A', 'C']"], ${DENY}}
`,
      message: 'rule is redundant: rule 3 `c` handles its traffic in the same way; remove it, or correct it',
      suggested: `inbound:
  - {expressions: ["req.Method == 'B'"], actions: [{type: url-rewrite, config: {from: a, to: b}}]}
  - {name: c, expressions: ["req.Method in ['A', 'C']"], ${DENY}}
`,
    },
    'before a catch-all rule': `inbound:
  - {«expressions»: ["req.Headers['X'][0] == 'a'"], ${DENY}}
  - {${DENY}}
`,
  },
  silent: {
    'when the other rule has another outcome': `inbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: deny, config: {status_code: 404}}]}
  - {${DENY}}
`,
    'when a rule between them may match': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Host == 'x'"], actions: [{type: custom-response}]}
  - {expressions: ["req.Method == 'A'", "req.Path != '/'"], ${DENY}}
`,
    'when the other rule matches less': `inbound:
  - {expressions: ["req.Method in ['A', 'B']"], ${DENY}}
  - {expressions: ["req.Method == 'C'"], ${DENY}}
`,
    'for a rule that never matches, which `logic/never-matches` reports': `inbound:
  - {expressions: ["req.Method == 'A' && req.Method == 'B'"], ${DENY}}
  - {${DENY}}
`,
    'for rules that do not end evaluation': `inbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: log, config: {metadata: {a: b}}}]}
  - {actions: [{type: log, config: {metadata: {a: b}}}]}
`,
    'for the first of two identical rules': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method == 'A'"], ${DENY}}
`,
  },
});

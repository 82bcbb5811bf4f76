import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { MERGEABLE_RULES } from './mergeable-rules.ts';

const DENY = 'actions: [{type: deny}]';

testRule(it, MERGEABLE_RULES, {
  fires: {
    'and suggests one rule': {
      policy: `inbound:
  - expressions: ["req.Method == 'A'"]
    ${DENY}
  - name: «b»
    expressions: ["req.Host == 'x' || req.Host == 'y'"]
    ${DENY}
`,
      message: 'rule has the same actions as rule 1 before it; merge them with `||`',
      suggested: `inbound:
  - expressions: ["(req.Method == 'A') || (req.Host == 'x' || req.Host == 'y')"]
    ${DENY}
`,
    },
    'for each of three rules': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {«expressions»: ["req.Method == 'B'"], ${DENY}}
  - {«expressions»: ["req.Method == 'C'"], ${DENY}}
`,
  },
  silent: {
    'when another rule is between them': `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method == 'C'"], actions: [{type: custom-response}]}
  - {expressions: ["req.Method == 'B'"], ${DENY}}
`,
    'for rules that do not end evaluation': `inbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: log, config: {metadata: {a: b}}}]}
  - {expressions: ["req.Host == 'x'"], actions: [{type: log, config: {metadata: {a: b}}}]}
`,
    'before a rule without a condition': `inbound:\n  - {expressions: ["req.Method == 'A'"], ${DENY}}\n  - {${DENY}}\n`,
  },
});

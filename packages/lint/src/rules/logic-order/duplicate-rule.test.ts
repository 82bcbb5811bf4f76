import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { DUPLICATE_RULE } from './duplicate-rule.ts';

const DENY = 'actions: [{type: deny}]';
const LOG = 'actions: [{type: log, config: {metadata: {a: b, c: d}}}]';

testRule(it, DUPLICATE_RULE, {
  fires: {
    'for conditions in another order and layout': {
      policy: `inbound:
  - {name: a, expressions: ["req.Method == 'A'", "req.Host == 'x'"], ${DENY}}
  - {name: «b», expressions: ["req.Host=='x'", "(req.Method == 'A')"], ${DENY}}
`,
      message: 'rule has the conditions and actions of rule 1 `a` and never runs; remove it, or correct it',
      suggested: `inbound:
  - {name: a, expressions: ["req.Method == 'A'", "req.Host == 'x'"], ${DENY}}
`,
    },
    'for rules that do not end evaluation': {
      policy: `inbound:
  - {expressions: ["req.Headers['X'][0] == 'A'"], ${LOG}}
  - {«expressions»: ["req.Headers['X'][0] == 'A'"], actions: [{type: log, config: {metadata: {c: d, a: b}}}]}
`,
      message: 'rule has the conditions and actions of rule 1 and repeats them; remove it, or correct it',
    },
  },
  silent: {
    'for other conditions': `inbound:
  - {expressions: ["req.Method == 'A'"], ${LOG}}
  - {expressions: ["req.Method == 'B'"], ${LOG}}
`,
    'for other actions': `inbound:
  - {expressions: ["req.Method == 'A'"], ${LOG}}
  - {expressions: ["req.Method == 'A'"], ${DENY}}
`,
    'when an input may have changed between them': `inbound:
  - {expressions: ["req.Path == '/a'"], ${DENY}}
  - {actions: [{type: url-rewrite, config: {from: b, to: a}}]}
  - {expressions: ["req.Path == '/a'"], ${DENY}}
`,
    'for random values': {
      policy: `on_http_request:\n  - {expressions: ["rand.int(0, 9) == 1"], ${DENY}}\n  - {expressions: ["rand.int(0, 9) == 1"], ${DENY}}\n`,
      profile: 'modern',
    },
  },
});

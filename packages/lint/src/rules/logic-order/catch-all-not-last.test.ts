import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { CATCH_ALL_NOT_LAST } from './catch-all-not-last.ts';

const DENY = 'actions: [{type: deny}]';

testRule(it, CATCH_ALL_NOT_LAST, {
  fires: {
    'and suggests moving it to the end': {
      policy: `inbound:\n  - name: «all»\n    actions: [{ type: deny }]\n  - name: b\n    expressions: ["req.Method == 'PUT'"]\n    actions: [{ type: deny }]`,
      suggested: `inbound:\n  - name: b\n    expressions: ["req.Method == 'PUT'"]\n    actions: [{ type: deny }]\n  - name: all\n    actions: [{ type: deny }]`,
    },
    'for a rule without conditions': {
      policy: `inbound:\n  - {«actions»: [{type: deny}]}\n  - {${DENY}}\n  - {${DENY}}\n`,
      message: 'rule handles all traffic, so the next 2 rules never run; move it to the end, or add a condition',
    },
    'without a fix if another rule handles everything': {
      policy: `inbound:\n  - {name: «a», ${DENY}}\n  - {expressions: ["req.Method == 'A'"], ${DENY}}\n  - {${DENY}}\n`,
      suggested: `inbound:\n  - {name: a, ${DENY}}\n  - {expressions: ["req.Method == 'A'"], ${DENY}}\n  - {${DENY}}\n`,
    },
    'for a condition that is always true': `inbound:\n  - {«expressions»: ["size(req.Headers) >= 0"], ${DENY}}\n  - {${DENY}}\n`,
    'in each phase': `inbound:\n  - {name: «a», ${DENY}}\n  - {${DENY}}\noutbound:\n  - {name: «b», actions: [{type: custom-response}]}\n  - {actions: [{type: custom-response}]}\n`,
  },
  silent: {
    'for the last rule': `inbound:\n  - {expressions: ["req.Method == 'A'"], ${DENY}}\n  - {${DENY}}\n`,
    'for a rule that does not end evaluation': `inbound:\n  - {actions: [{type: log, config: {metadata: {a: b}}}]}\n  - {${DENY}}\n`,
    'for a condition that may fail': `inbound:\n  - {expressions: ["size(req.Headers['X']) >= 0"], ${DENY}}\n  - {${DENY}}\n`,
  },
});

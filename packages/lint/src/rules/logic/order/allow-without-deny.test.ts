import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { ALLOW_WITHOUT_DENY } from './allow-without-deny.ts';

const LOG = 'actions: [{type: log, config: {metadata: {a: b}}}]';

function named(name: string): string {
  return `{name: ${name}, expressions: ["req.Method == 'A'"], ${LOG}}`;
}

testRule(it, ALLOW_WITHOUT_DENY, {
  fires: {
    'for each name that promises it': {
      policy: `inbound:\n  - ${named('«Allow GET»')}\n  - ${named('«staff only»')}\n  - ${named('«AllowTLS1.3»')}\n  - ${named('other')}\n`,
      message: '`Allow GET` allows nothing: no rule refuses the rest, so all traffic passes; add one that does',
    },
    'in any phase': `outbound:\n  - ${named('«permitted origins»')}\n`,
  },
  silent: {
    'where something is refused': `inbound:\n  - ${named('allow GET')}\n  - {actions: [{type: deny}]}\n`,
    'where something may be refused': `inbound:\n  - ${named('allow GET')}\n  - {actions: [{type: restrict-ips, config: {allow: ['10.0.0.0/8']}}]}\n`,
    'for other names': `inbound:\n  - ${named('count shallow copies')}\n`,
    'for a rule that matches everything': `inbound:\n  - {name: allow all, ${LOG}}\n`,
  },
});

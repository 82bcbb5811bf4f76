import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { ALLOW_WITHOUT_DENY } from './allow-without-deny.ts';

const LOG = 'actions: [{type: log, config: {metadata: {a: b}}}]';

function named(name: string): string {
  return `{name: ${name}, expressions: ["req.Method == 'A'"], ${LOG}}`;
}

testRule(it, ALLOW_WITHOUT_DENY, {
  fires: {
    'for each name that implies it': {
      policy: `inbound:\n  - ${named('«Allow GET»')}\n  - ${named('«staff only»')}\n  - ${named('«AllowTLS1.3»')}\n  - ${named('other')}\n`,
      message: '`Allow GET` restricts nothing: no rule denies other traffic; add one that does',
    },
    'in any phase': `outbound:\n  - ${named('«permitted origins»')}\n`,
  },
  silent: {
    'when another rule denies': `inbound:\n  - ${named('allow GET')}\n  - {actions: [{type: deny}]}\n`,
    'when another rule may deny': `inbound:\n  - ${named('allow GET')}\n  - {actions: [{type: restrict-ips, config: {allow: ['10.0.0.0/8']}}]}\n`,
    'for other names': `inbound:\n  - ${named('count shallow copies')}\n`,
    'for a rule without conditions': `inbound:\n  - {name: allow all, ${LOG}}\n`,
  },
});

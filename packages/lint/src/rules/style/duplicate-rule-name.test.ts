import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { DUPLICATE_RULE_NAME } from './duplicate-rule-name.ts';

const rule = (name: string) => `{name: ${name}, actions: [{type: log}]}`;

testRule(it, DUPLICATE_RULE_NAME, {
  fires: {
    'and suggests the next free number': {
      policy: `inbound:\n  - { name: a, actions: [{ type: log }] }\n  - { name: «a», actions: [{ type: log }] }\n  - { name: a 2, actions: [{ type: log }] }\n  - name: "«a»"\n    actions: [{ type: log }]\n`,
      suggested: `inbound:\n  - { name: a, actions: [{ type: log }] }\n  - { name: a 3, actions: [{ type: log }] }\n  - { name: a 2, actions: [{ type: log }] }\n  - name: "a"\n    actions: [{ type: log }]\n`,
    },
    'at each rule after the first': {
      policy: `inbound: [${rule('a')}, ${rule('b')}, ${rule('«a»')}, ${rule('"«a»"')}]`,
      message: 'another rule of this phase is named `a`; rename one of them',
    },
  },
  silent: {
    'in different phases': `inbound: [${rule('a')}]\noutbound: [${rule('a')}]`,
    'for names that differ in case': `inbound: [${rule('a')}, ${rule('A')}]`,
    'for unnamed rules': 'inbound: [{actions: [{type: log}]}, {actions: [{type: log}]}]',
  },
});

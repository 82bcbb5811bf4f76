import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { RULE_NAME_MISSING } from './rule-name-missing.ts';

testRule(it, RULE_NAME_MISSING, {
  fires: {
    'and suggests one in block style': {
      policy: `inbound:\n  - «actions»:\n      - type: log\n      - type: deny\n`,
      suggested: `inbound:\n  - name: log and deny 1\n    actions:\n      - type: log\n      - type: deny\n`,
    },
    'and suggests one in JSON': {
      policy: '{"inbound": [{"«actions»": [{"type": "deny"}]}]}',
      suggested: '{"inbound": [{ "name": "deny 1", "actions": [{"type": "deny"}]}]}',
    },
    'at the first key': {
      policy: 'inbound:\n  - «actions»: [{type: deny}]\n',
      message: 'rule has no name; add one that states its purpose',
    },
    'at a blank name': { policy: "inbound: [{name: '« »', actions: [{type: deny}]}]" },
    'for every unnamed rule': { policy: 'inbound: [{«actions»: [{type: deny}]}, {«actions»: [{type: deny}]}]' },
  },
  silent: {
    'for a rule with a name': { policy: 'inbound: [{name: a, actions: [{type: deny}]}]' },
  },
});

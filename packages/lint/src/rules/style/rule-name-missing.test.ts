import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { RULE_NAME_MISSING } from './rule-name-missing.ts';

testRule(it, RULE_NAME_MISSING, {
  fires: {
    'and suggests one in lines': {
      policy: `inbound:\n  - «actions»:\n      - type: log\n      - type: deny\n`,
      suggested: `inbound:\n  - name: log and deny 1\n    actions:\n      - type: log\n      - type: deny\n`,
    },
    'and suggests one in JSON': {
      policy: '{"inbound": [{"«actions»": [{"type": "deny"}]}]}',
      suggested: '{"inbound": [{ "name": "deny 1", "actions": [{"type": "deny"}]}]}',
    },
    'at the first key': {
      policy: 'inbound:\n  - «actions»: [{type: deny}]\n',
      message: 'the rule has no name; give it one that says what it is for',
    },
    'at a name that says nothing': { policy: "inbound: [{name: '« »', actions: [{type: deny}]}]" },
    'for every rule': { policy: 'inbound: [{«actions»: [{type: deny}]}, {«actions»: [{type: deny}]}]' },
  },
  silent: {
    'for a rule with a name': { policy: 'inbound: [{name: a, actions: [{type: deny}]}]' },
  },
});

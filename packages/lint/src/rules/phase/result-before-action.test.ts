import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { RESULT_BEFORE_ACTION } from './result-before-action.ts';

const modern = (rules: string) => ({ policy: `on_http_request:\n${rules}`, profile: 'modern' as const });

testRule(it, RESULT_BEFORE_ACTION, {
  fires: {
    'when the action is missing': {
      ...modern('- expressions: ["«actions.ngrok.rate_limit.limited»"]\n  actions: [{type: deny}]\n'),
      message:
        '`actions.ngrok.rate_limit.limited` is set by the action `rate-limit`, which is not in this policy; run that action first',
    },
    'in an interpolation of an earlier action': {
      ...modern(
        "- actions:\n  - {type: log, config: {metadata: {a: '${«actions.ngrok.redirect.url»}'}}}\n  - {type: redirect, config: {from: a, to: b}}\n",
      ),
      message: '`actions.ngrok.redirect.url` is set by the action `redirect`, which runs later; run that action first',
    },
  },
  silent: {
    'after the action, in the same rule or a later phase': {
      policy: `on_http_request:
- actions:
  - {type: redirect, config: {from: a, to: b}}
  - {type: log, config: {metadata: {a: '\${actions.ngrok.redirect.url}'}}}
on_http_response:
- expressions: ["actions.ngrok.redirect.url == 'a'"]
  actions: [{type: log}]
`,
      profile: 'modern',
    },
    'when `has` tests for it': modern(
      '- expressions: ["has(actions.ngrok.redirect.url)"]\n  actions: [{type: deny}]\n',
    ),
    'in profiles without such variables': 'inbound: [{actions: [{type: deny}]}]',
  },
});

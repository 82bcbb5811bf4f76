import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { UA_ONLY_AUTH } from './ua-only-auth.ts';

testRule(it, UA_ONLY_AUTH, {
  fires: {
    'for a page that is said to lead here': {
      policy: when("size(getReqHeader('Referer')) == 0 || «req.Headers['Referer'][0] != 'https://shop.example.com/'»"),
    },
    'in other profiles': {
      policy: when("!«req.user_agent.contains('OurApp')»", { phase: 'on_http_request' }),
      profile: 'modern',
      message:
        'whoever says so passes: `req.user_agent` is what clients say of themselves; ask for something that they must know',
    },
  },
  silent: {
    'for refusing those that name themselves': when("getReqHeader('User-Agent').exists(a, a.contains('GPTBot'))"),
    'for refusing those without a name': when("!hasReqHeader('User-Agent') || !(req.Headers['User-Agent'][0] != '')"),
    'where something else is asked for too': when(
      "!getReqHeader('User-Agent').exists(a, a.contains('OurApp')) && !hasReqHeader('X-App-Key')",
    ),
    'for notes': when("!getReqHeader('User-Agent').exists(a, a.contains('OurApp'))", { action: '{type: log}' }),
  },
});

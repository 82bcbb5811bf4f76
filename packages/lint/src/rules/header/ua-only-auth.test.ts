import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UA_ONLY_AUTH } from './ua-only-auth.ts';

testRule(it, UA_ONLY_AUTH, {
  fires: {
    'for a `Referer`': {
      policy: when("size(getReqHeader('Referer')) == 0 || «req.Headers['Referer'][0] != 'https://shop.example.com/'»"),
    },
    'in the modern profile': {
      policy: when("!«req.user_agent.contains('OurApp')»", { phase: 'on_http_request' }),
      profile: 'modern',
      message: '`req.user_agent` alone grants access, and clients can send any value; require a credential',
    },
  },
  silent: {
    'for denying clients that identify themselves': when("getReqHeader('User-Agent').exists(a, a.contains('GPTBot'))"),
    'for denying clients without a `User-Agent`': when(
      "!hasReqHeader('User-Agent') || !(req.Headers['User-Agent'][0] != '')",
    ),
    'when another header is required too': when(
      "!getReqHeader('User-Agent').exists(a, a.contains('OurApp')) && !hasReqHeader('X-App-Key')",
    ),
    'for a rule that only logs': when("!getReqHeader('User-Agent').exists(a, a.contains('OurApp'))", {
      action: '{type: log}',
    }),
  },
});

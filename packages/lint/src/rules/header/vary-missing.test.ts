import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { VARY_MISSING } from './vary-missing.ts';

testRule(it, VARY_MISSING, {
  fires: {
    'for a custom response': {
      policy: when("«req.headers['accept-language']»[0].startsWith('de')", {
        phase: 'on_http_request',
        action: '{type: custom-response, config: {body: Guten Tag}}',
      }),
      profile: 'modern',
      message: 'response depends on the request header `accept-language`; add `Vary: accept-language`',
    },
  },
  silent: {
    'for a denied request': when("getReqHeader('Origin').exists(o, o == 'null')"),
    'for a header that browsers do not negotiate with': when("hasReqHeader('X-Moved')", {
      phase: 'outbound',
      action: '{type: add-headers, config: {headers: {Deprecation: "true"}}}',
    }),
    'for a change to the request': when("hasReqHeader('Origin')", {
      action: '{type: add-headers, config: {headers: {X-Origin: "yes"}}}',
    }),
  },
});

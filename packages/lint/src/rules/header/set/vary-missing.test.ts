import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { VARY_MISSING } from './vary-missing.ts';

testRule(it, VARY_MISSING, {
  fires: {
    'for an answer': {
      policy: when("«req.headers['accept-language']»[0].startsWith('de')", {
        phase: 'on_http_request',
        action: '{type: custom-response, config: {body: Guten Tag}}',
      }),
      profile: 'modern',
      message:
        'the response hangs on `accept-language` of the request; add `Vary: accept-language` to it, so that caches keep it apart',
    },
  },
  silent: {
    'for refusals': when("getReqHeader('Origin').exists(o, o == 'null')"),
    'for headers that are no choice of browsers': when("hasReqHeader('X-Moved')", {
      phase: 'outbound',
      action: '{type: add-headers, config: {headers: {Deprecation: "true"}}}',
    }),
    'for changes of the request': when("hasReqHeader('Origin')", {
      action: '{type: add-headers, config: {headers: {X-Origin: "yes"}}}',
    }),
  },
});

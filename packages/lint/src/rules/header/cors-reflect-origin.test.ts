import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CORS_REFLECT_ORIGIN } from './cors-reflect-origin.ts';

testRule(it, CORS_REFLECT_ORIGIN, {
  fires: {
    'for a suffix of the origin': {
      policy: when("getReqHeader('Origin').exists(o, «o.endsWith('example.com')»)", {
        phase: 'outbound',
        action: '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "https://example.com"}}}',
      }),
      message: 'origin `https://evil-example.com` also passes this test; compare the whole origin',
    },
    'for a pattern without `$`': {
      policy: when(String.raw`getReqHeader('Origin').exists(o, «o.matches(r'^https://example\.com')»)`, {
        phase: 'outbound',
        action: '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "https://example.com"}}}',
      }),
      message: 'origin `https://example.com.evil.example` also passes this test; compare the whole origin',
    },
    'for `*` with credentials': {
      policy: when('true', {
        phase: 'outbound',
        action:
          '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "«*»", Access-Control-Allow-Credentials: "true"}}}',
      }),
      message: 'browsers reject `*` together with credentials; name the allowed origin',
    },
  },
  silent: {
    'for a subdomain suffix and an anchored pattern': when(
      String.raw`getReqHeader('Origin').exists(o, o.endsWith('.example.com') || o.matches(r'^https://example\.com$'))`,
      {
        phase: 'outbound',
        action: '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "https://example.com"}}}',
      },
    ),
    'for `*` without credentials': when('true', {
      phase: 'outbound',
      action: '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "*"}}}',
    }),
    'for a rule that does not allow an origin': when("getReqHeader('Origin').exists(o, o.contains('evil'))"),
  },
});

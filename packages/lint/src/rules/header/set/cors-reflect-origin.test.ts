import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { CORS_REFLECT_ORIGIN } from './cors-reflect-origin.ts';

testRule(it, CORS_REFLECT_ORIGIN, {
  fires: {
    'for a part of the origin': {
      policy: when("getReqHeader('Origin').exists(o, «o.endsWith('example.com')»)", {
        phase: 'outbound',
        action: '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "https://example.com"}}}',
      }),
      message: '`https://evil-example.com` passes this test of the origin; compare with the whole of it',
    },
    'for a pattern without an end': {
      policy: when(String.raw`getReqHeader('Origin').exists(o, «o.matches(r'^https://example\.com')»)`, {
        phase: 'outbound',
        action: '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "https://example.com"}}}',
      }),
      message: '`https://example.com.evil.example` passes this test of the origin; compare with the whole of it',
    },
    'for all origins with credentials': {
      policy: when('true', {
        phase: 'outbound',
        action:
          '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "«*»", Access-Control-Allow-Credentials: "true"}}}',
      }),
      message: 'browsers refuse `*` together with credentials; name the origin that may ask',
    },
  },
  silent: {
    'for subdomains, and whole patterns': when(
      String.raw`getReqHeader('Origin').exists(o, o.endsWith('.example.com') || o.matches(r'^https://example\.com$'))`,
      {
        phase: 'outbound',
        action: '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "https://example.com"}}}',
      },
    ),
    'without credentials': when('true', {
      phase: 'outbound',
      action: '{type: add-headers, config: {headers: {Access-Control-Allow-Origin: "*"}}}',
    }),
    'where nothing is allowed by it': when("getReqHeader('Origin').exists(o, o.contains('evil'))"),
  },
});

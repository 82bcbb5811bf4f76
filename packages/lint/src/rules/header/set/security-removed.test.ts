import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { SECURITY_REMOVED } from './security-removed.ts';

testRule(it, SECURITY_REMOVED, {
  fires: {
    'for removing': {
      policy: when('true', {
        phase: 'on_http_response',
        action: '{type: remove-headers, config: {headers: [server, «strict-transport-security»]}}',
      }),
      profile: 'modern',
      message:
        '`strict-transport-security` protects those who look at the page; replace it by what is meant, rather than remove it',
    },
    'for values that allow everything': {
      policy: when('true', {
        phase: 'outbound',
        action: `{type: add-headers, config: {headers: {Strict-Transport-Security: «max-age=0», Content-Security-Policy: "«default-src *»"}}}`,
      }),
      message:
        '`max-age=0` as `Strict-Transport-Security` allows what the header is there to forbid; name what is needed',
    },
  },
  silent: {
    'for requests': when('true', { action: '{type: remove-headers, config: {headers: [X-Frame-Options]}}' }),
    'where the policy of the page takes its place': when('true', {
      phase: 'outbound',
      action: `{type: remove-headers, config: {headers: [X-Frame-Options]}}, {type: add-headers, config: {headers: {Content-Security-Policy: "frame-ancestors 'self'"}}}`,
    }),
    'for values that protect': when('true', {
      phase: 'outbound',
      action:
        '{type: add-headers, config: {headers: {Strict-Transport-Security: max-age=63072000, X-Content-Type-Options: nosniff}}}',
    }),
  },
});

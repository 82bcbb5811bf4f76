import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { SECURITY_REMOVED } from './security-removed.ts';

testRule(it, SECURITY_REMOVED, {
  fires: {
    'when it is removed': {
      policy: when('true', {
        phase: 'on_http_response',
        action: '{type: remove-headers, config: {headers: [server, «strict-transport-security»]}}',
      }),
      profile: 'modern',
      message: 'removing `strict-transport-security` turns off browser protection; replace its value instead',
    },
    'for values that allow everything': {
      policy: when('true', {
        phase: 'outbound',
        action: `{type: add-headers, config: {headers: {Strict-Transport-Security: «max-age=0», Content-Security-Policy: "«default-src *»"}}}`,
      }),
      message: '`max-age=0` removes HSTS; set at least `max-age=31536000`',
    },
  },
  silent: {
    'for requests': when('true', { action: '{type: remove-headers, config: {headers: [X-Frame-Options]}}' }),
    'when a Content-Security-Policy replaces it': when('true', {
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

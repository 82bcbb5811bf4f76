import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { CACHE_CONTROL_MISSING } from './cache-control-missing.ts';

testRule(it, CACHE_CONTROL_MISSING, {
  fires: {
    'and suggests one': {
      policy: `inbound: [{ actions: [{ type: custom-response, config: { status_code: «404», headers: { X-A: b } } }] }]`,
      suggested: `inbound: [{ actions: [{ type: custom-response, config: { status_code: 404, headers: { Cache-Control: "no-store", X-A: b } } }] }]`,
    },
    'for what is gone': {
      policy: when('true', { action: '{type: custom-response, config: {status_code: «410», content: gone}}' }),
      message:
        'caches may keep a response with status 410; say whether they may in `Cache-Control`, such as `no-store`',
    },
  },
  silent: {
    'for errors that caches do not keep': when('true', {
      action: '{type: custom-response, config: {status_code: 403, content: no}}',
    }),
    'for a date of expiry': when('true', {
      action: '{type: custom-response, config: {status_code: 404, headers: {Expires: "0"}}}',
    }),
  },
});

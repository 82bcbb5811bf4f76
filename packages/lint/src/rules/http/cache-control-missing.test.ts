import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CACHE_CONTROL_MISSING } from './cache-control-missing.ts';

testRule(it, CACHE_CONTROL_MISSING, {
  fires: {
    'and suggests `no-store`': {
      policy: `inbound: [{ actions: [{ type: custom-response, config: { status_code: «404», headers: { X-A: b } } }] }]`,
      suggested: `inbound: [{ actions: [{ type: custom-response, config: { status_code: 404, headers: { Cache-Control: "no-store", X-A: b } } }] }]`,
    },
    'for status 410': {
      policy: when('true', { action: '{type: custom-response, config: {status_code: «410», content: gone}}' }),
      message: 'caches may store a response with status 410; set `Cache-Control`, for example to `no-store`',
    },
  },
  silent: {
    'for statuses that caches do not store': when('true', {
      action: '{type: custom-response, config: {status_code: 403, content: no}}',
    }),
    'for a response with `Expires`': when('true', {
      action: '{type: custom-response, config: {status_code: 404, headers: {Expires: "0"}}}',
    }),
  },
});

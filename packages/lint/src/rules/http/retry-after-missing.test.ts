import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { RETRY_AFTER_MISSING } from './retry-after-missing.ts';

testRule(it, RETRY_AFTER_MISSING, {
  fires: {
    'and suggests 60 seconds': {
      policy: `inbound: [{ actions: [{ type: custom-response, config: { status_code: «503» } }] }]`,
      suggested: `inbound: [{ actions: [{ type: custom-response, config: { headers: { "Retry-After": "60" }, status_code: 503 } }] }]`,
    },
    'for status 429': {
      policy: when('true', { action: '{type: custom-response, config: {status_code: «429», content: slow down}}' }),
      message: 'status 429 does not tell clients when to retry; add `Retry-After` in seconds to `headers`',
    },
  },
  silent: {
    'for `deny`, which cannot set headers': when('true', { action: '{type: deny, config: {status_code: 503}}' }),
    'for other statuses': when('true', { action: '{type: custom-response, config: {status_code: 500, content: oh}}' }),
  },
});

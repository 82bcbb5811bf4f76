import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { RETRY_AFTER_MISSING } from './retry-after-missing.ts';

testRule(it, RETRY_AFTER_MISSING, {
  fires: {
    'and suggests one': {
      policy: `inbound: [{ actions: [{ type: custom-response, config: { status_code: «503» } }] }]`,
      suggested: `inbound: [{ actions: [{ type: custom-response, config: { headers: { "Retry-After": "60" }, status_code: 503 } }] }]`,
    },
    'for too many requests': {
      policy: when('true', { action: '{type: custom-response, config: {status_code: «429», content: slow down}}' }),
      message: 'status 429 does not say when to try again; add `Retry-After` with seconds to `headers`',
    },
  },
  silent: {
    'for refusals, which have no headers': when('true', { action: '{type: deny, config: {status_code: 503}}' }),
    'for other errors': when('true', { action: '{type: custom-response, config: {status_code: 500, content: oh}}' }),
  },
});

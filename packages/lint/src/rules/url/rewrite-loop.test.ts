import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { REWRITE_LOOP } from './rewrite-loop.ts';

testRule(it, REWRITE_LOOP, {
  fires: {
    'for a prefix': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "^(https?://[^/?]+)/", to: "«$1/app/»"}}' }),
      message:
        '`http://a/` becomes `http://a/app/`, and `http://a/app/app/` the next time; exclude rewritten URLs in a condition',
    },
  },
  silent: {
    'when the pattern does not match the result': when('true', {
      action: '{type: url-rewrite, config: {from: "^(https?://[^/?]+)/v0/", to: "$1/v1/"}}',
    }),
    'for a replacement that inserts parts of the request': when('true', {
      action: '{type: url-rewrite, config: {from: ".*", to: "$scheme://$host/a$uri"}}',
    }),
  },
});

import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { REWRITE_LOOP } from './rewrite-loop.ts';

testRule(it, REWRITE_LOOP, {
  fires: {
    'for a prefix': {
      policy: when('true', { action: '{type: url-rewrite, config: {from: "^(https?://[^/?]+)/", to: "«$1/app/»"}}' }),
      message:
        '`http://a/` becomes `http://a/app/`, and that `http://a/app/app/` when it passes again; let a condition leave out what is rewritten already',
    },
  },
  silent: {
    'for what does not match any more': when('true', {
      action: '{type: url-rewrite, config: {from: "^(https?://[^/?]+)/v0/", to: "$1/v1/"}}',
    }),
    'for parts of the request': when('true', {
      action: '{type: url-rewrite, config: {from: ".*", to: "$scheme://$host/a$uri"}}',
    }),
  },
});

import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { DEBUG_ECHO } from './debug-echo.ts';

testRule(it, DEBUG_ECHO, {
  fires: {
    'for cookies, under the older key too': {
      policy: when('true', {
        action: '{type: custom-response, config: {content: "c: ${json.encode(«req.cookies»)}"}}',
      }),
      profile: 'edge-v2-snake',
      message: 'all of `req.cookies` is sent back to whoever asks; name what is meant, or take the rule out again',
    },
  },
  silent: {
    'for one of them': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: custom-response, config: {body: "\${req.headers['x-id'][0]}"}}`,
      }),
      profile: 'modern',
    },
  },
});

import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { DEBUG_ECHO } from './debug-echo.ts';

testRule(it, DEBUG_ECHO, {
  fires: {
    'for cookies in the profile edge-v2-snake': {
      policy: when('true', {
        action: '{type: custom-response, config: {content: "c: ${json.encode(«req.cookies»)}"}}',
      }),
      profile: 'edge-v2-snake',
      message: 'response exposes all of `req.cookies`; return single values, or remove the rule',
    },
  },
  silent: {
    'for a single header': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: custom-response, config: {body: "\${req.headers['x-id'][0]}"}}`,
      }),
      profile: 'modern',
    },
  },
});

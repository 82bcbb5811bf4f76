import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { REDIRECT_WITHOUT_LOCATION } from './redirect-without-location.ts';

testRule(it, REDIRECT_WITHOUT_LOCATION, {
  fires: {
    'when only other headers are set': {
      policy: when('true', {
        action: '{type: custom-response, config: {status_code: «308», headers: {Content-Type: text/plain}}}',
      }),
      message: 'redirect status 308 without a `Location` header; add it to `headers`, or use the action `redirect`',
    },
  },
  silent: {
    'for the header in any case': when('true', {
      action: '{type: custom-response, config: {status_code: 302, headers: {location: /there}}}',
    }),
    'for the action `redirect`': when('true', {
      action: '{type: redirect, config: {from: "^http://", to: "https://", status_code: 301}}',
    }),
    'for 304, which is not a redirect': when('true', { action: '{type: custom-response, config: {status_code: 304}}' }),
  },
});

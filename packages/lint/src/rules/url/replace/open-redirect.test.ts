import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { OPEN_REDIRECT } from './open-redirect.ts';

testRule(it, OPEN_REDIRECT, {
  fires: {
    'for what stands behind the host of the URL': {
      policy: when('true', {
        action: '{type: redirect, config: {from: "^https?://[^/]+/out/(.*)$", to: "https://«$1»"}}',
      }),
      message: '`$1` is what the client chooses, and becomes the host of this redirect; write the host before it',
    },
    'for an expression': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: redirect, config: {to: "\${«getQueryParam('next')[0]»}"}}`,
      }),
      profile: 'modern',
    },
    'for the header of an answer': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: custom-response, config: {status_code: 302, headers: {location: "https://\${«req.headers['x-next'][0]»}/"}}}`,
      }),
      profile: 'modern',
    },
  },
  silent: {
    'for the host that was asked for': when('true', {
      action: '{type: redirect, config: {from: "^http://(.*)$", to: "https://$1"}}',
    }),
    'for a path behind a host': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: redirect, config: {to: "https://a.example.com/\${getQueryParam('next')[0]}"}}`,
      }),
      profile: 'modern',
    },
    'for rewrites, which nobody is sent to': when('true', {
      action: '{type: url-rewrite, config: {from: "^.*$", to: "https://$arg_next"}}',
    }),
  },
});

import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { OPEN_REDIRECT } from './open-redirect.ts';

testRule(it, OPEN_REDIRECT, {
  fires: {
    'for a group after the host of the URL': {
      policy: when('true', {
        action: '{type: redirect, config: {from: "^https?://[^/]+/out/(.*)$", to: "https://«$1»"}}',
      }),
      message: 'client chooses the redirect host with `$1`; write a fixed host before it',
    },
    'for an interpolation': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: redirect, config: {to: "\${«getQueryParam('next')[0]»}"}}`,
      }),
      profile: 'modern',
    },
    'for the `Location` of a custom response': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: custom-response, config: {status_code: 302, headers: {location: "https://\${«req.headers['x-next'][0]»}/"}}}`,
      }),
      profile: 'modern',
    },
  },
  silent: {
    'for the requested host': when('true', {
      action: '{type: redirect, config: {from: "^http://(.*)$", to: "https://$1"}}',
    }),
    'for a path after a fixed host': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: redirect, config: {to: "https://a.example.com/\${getQueryParam('next')[0]}"}}`,
      }),
      profile: 'modern',
    },
    'for a rewrite, which the client never sees': when('true', {
      action: '{type: url-rewrite, config: {from: "^.*$", to: "https://$arg_next"}}',
    }),
  },
});

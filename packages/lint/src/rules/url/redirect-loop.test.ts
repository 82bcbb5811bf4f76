import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { REDIRECT_LOOP } from './redirect-loop.ts';

testRule(it, REDIRECT_LOOP, {
  fires: {
    'for a target that starts with the old path': {
      policy: when('true', { action: '{type: redirect, config: {from: "/old", to: "«/old/new»"}}' }),
      message:
        'endless redirect: `https://app.example.com/old` leads to `https://app.example.com/old/new` and then `https://app.example.com/old/new/new`; exclude the target in a condition',
    },
    'after rules for other requests and actions that continue': `\
inbound:
  - {expressions: ["conn.ClientIP == '203.0.113.7'"], actions: [{type: deny}]}
  - {expressions: ["req.Path == '/new'"], actions: [{type: deny}]}
  - {actions: [{type: log}, {type: redirect, config: {from: "/old", to: "«/old/new»"}}]}
`,
    'in the modern profile, under a condition on the client': {
      policy: when("conn.client_ip == '203.0.113.7'", {
        phase: 'on_http_request',
        action: '{type: redirect, config: {from: "^(.*)/$", to: "«$1/index/»"}}',
      }),
      profile: 'modern',
    },
  },
  silent: {
    'when an earlier rule handles the target': `\
inbound:
  - {expressions: ["req.Path == '/old/new'"], actions: [{type: deny}]}
  - {actions: [{type: redirect, config: {from: "/old", to: "/old/new"}}]}
`,
    'when an earlier rule may handle the target': `\
inbound:
  - {expressions: ["req.Host == 'a.example.com'"], actions: [{type: deny}]}
  - {actions: [{type: redirect, config: {from: "/old", to: "/old/new"}}]}
`,
    'when the pattern does not match the target': when('true', {
      action: '{type: redirect, config: {from: "^(https?://[^/?]+)/old", to: "$1/new"}}',
    }),
    'when the redirect ends': when('true', {
      action: '{type: redirect, config: {from: "^http://", to: "https://"}}',
    }),
    'when the target is on another host': when('true', {
      action: '{type: redirect, config: {from: "^https?://[^/?]+/(.*)$", to: "https://other.example.com/x/$1"}}',
    }),
    'when it is unknown whether the condition holds for the target': when("req.Host == 'a.example.com'", {
      action: '{type: redirect, config: {from: "/old", to: "/old/new"}}',
    }),
  },
});

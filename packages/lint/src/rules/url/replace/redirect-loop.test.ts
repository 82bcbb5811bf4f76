import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { REDIRECT_LOOP } from './redirect-loop.ts';

testRule(it, REDIRECT_LOOP, {
  fires: {
    'for a path that begins as the new one does': {
      policy: when('true', { action: '{type: redirect, config: {from: "/old", to: "«/old/new»"}}' }),
      message:
        '`https://app.example.com/old` leads to `https://app.example.com/old/new`, that to `https://app.example.com/old/new/new`, and so on without end; let a condition leave out where it leads to',
    },
    'behind rules that take others, and actions that go on': `\
inbound:
  - {expressions: ["conn.ClientIP == '203.0.113.7'"], actions: [{type: deny}]}
  - {expressions: ["req.Path == '/new'"], actions: [{type: deny}]}
  - {actions: [{type: log}, {type: redirect, config: {from: "/old", to: "«/old/new»"}}]}
`,
    'in other profiles, for a condition about the client': {
      policy: when("conn.client_ip == '203.0.113.7'", {
        phase: 'on_http_request',
        action: '{type: redirect, config: {from: "^(.*)/$", to: "«$1/index/»"}}',
      }),
      profile: 'modern',
    },
  },
  silent: {
    'where a rule before takes what it leads to': `\
inbound:
  - {expressions: ["req.Path == '/old/new'"], actions: [{type: deny}]}
  - {actions: [{type: redirect, config: {from: "/old", to: "/old/new"}}]}
`,
    'where a rule before may take it': `\
inbound:
  - {expressions: ["req.Host == 'a.example.com'"], actions: [{type: deny}]}
  - {actions: [{type: redirect, config: {from: "/old", to: "/old/new"}}]}
`,
    'where the result is left as it is': when('true', {
      action: '{type: redirect, config: {from: "^(https?://[^/?]+)/old", to: "$1/new"}}',
    }),
    'where the end is reached': when('true', {
      action: '{type: redirect, config: {from: "^http://", to: "https://"}}',
    }),
    'where it leads to another host': when('true', {
      action: '{type: redirect, config: {from: "^https?://[^/?]+/(.*)$", to: "https://other.example.com/x/$1"}}',
    }),
    'where a condition may differ that is not known': when("req.Host == 'a.example.com'", {
      action: '{type: redirect, config: {from: "/old", to: "/old/new"}}',
    }),
  },
});

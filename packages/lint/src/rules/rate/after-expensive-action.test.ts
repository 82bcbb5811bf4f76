import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { AFTER_EXPENSIVE_ACTION } from './after-expensive-action.ts';

testRule(it, AFTER_EXPENSIVE_ACTION, {
  fires: {
    'and suggests moving it first': {
      policy: `on_http_request:\n  - actions:\n      - type: openid-connect\n        config: { issuer_url: "https://id.example.com", client_id: a, client_secret: b }\n      - type: «rate-limit»\n        config: { name: a, capacity: 30, rate: 60s, bucket_key: [conn.client_ip] }\n`,
      profile: 'modern',
      suggested: `on_http_request:\n  - actions:\n      - type: rate-limit\n        config: { name: a, capacity: 30, rate: 60s, bucket_key: [conn.client_ip] }\n      - type: openid-connect\n        config: { issuer_url: "https://id.example.com", client_id: a, client_secret: b }\n`,
    },
    'for an expensive action in an earlier rule without conditions': {
      policy: `\
on_http_request:
  - actions: [{type: owasp-crs-request}]
  - expressions: ["req.method == 'POST'"]
    actions: [{type: «rate-limit», config: {name: a, capacity: 1, rate: 60s, bucket_key: [conn.client_ip]}}]
`,
      profile: 'modern',
      message: '`owasp-crs-request` runs even for requests over the limit; move the limit before it',
    },
  },
  silent: {
    'for an expensive action in an earlier rule with conditions': {
      policy: `\
on_http_request:
  - expressions: ["req.method == 'POST'"]
    actions: [{type: owasp-crs-request}]
  - actions: [{type: rate-limit, config: {name: a, capacity: 1, rate: 60s, bucket_key: [conn.client_ip]}}]
`,
      profile: 'modern',
    },
    'when the limit applies by the result of the action': {
      policy: `\
on_http_request:
  - actions: [{type: http-request, config: {url: https://tiers.example}}]
  - actions: [{type: set-vars, config: {vars: [{tier: "\${actions.ngrok.http_request.res.body}"}]}}]
  - expressions: ["vars.tier == 'gold'"]
    actions: [{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: [conn.client_ip]}}]
`,
      profile: 'modern',
    },
    'when the limit counts by the result of the action': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: oauth, config: {provider: google}}, {type: rate-limit, config: {name: a, capacity: 1, rate: 60s, bucket_key: [actions.ngrok.oauth.identity.id]}}',
      }),
      profile: 'modern',
    },
  },
});

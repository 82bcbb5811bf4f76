import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { CHECK_NEVER_RUNS } from './check-never-runs.ts';

const JWT =
  '{ issuer: { allow_list: [{ value: https://id.example.com }] }, audience: { allow_list: [{ value: api }] }, http: { tokens: [{ type: jwt, method: header, name: authorization }] }, jws: { allowed_algorithms: [RS256] } }';
const FORWARD = '{ type: forward-internal, config: { url: https://a.internal } }';
const CONTINUE = '{ type: forward-internal, config: { url: https://a.internal, on_error: continue } }';

testRule(it, CHECK_NEVER_RUNS, {
  fires: {
    'after a rule without conditions': {
      policy: `on_http_request:
  - actions: [${CONTINUE}]
  - name: signed in
    actions: [{ type: «jwt-validation», config: ${JWT} }]
`,
      profile: 'modern',
      message:
        '`jwt-validation` never runs: `forward-internal` in rule 1 already forwards the traffic; move the check before it',
    },
    'after a rule with a wider condition': {
      policy: `on_http_request:
  - name: the API
    expressions: ["req.url.path.startsWith('/api')"]
    actions: [${CONTINUE}]
  - expressions: ["req.url.path.startsWith('/api/admin/')", "req.method == 'POST'"]
    actions: [{ type: «basic-auth», config: { credentials: ["\${secrets.get('a', 'b')}"] } }]
`,
      profile: 'modern',
    },
    'after an action that continues on errors': {
      policy: `on_http_request:
  - actions: [${CONTINUE}, { type: «oauth», config: { provider: google } }, { type: deny }]
`,
      profile: 'modern',
    },
    'in the connection phase': {
      policy: `on_tcp_connect:
  - actions: [${CONTINUE}]
  - actions: [{ type: «restrict-ips», config: { allow: [203.0.113.0/24] } }]
`,
      profile: 'modern',
      endpoint: 'tcp-endpoint',
    },
  },
  silent: {
    'for traffic that the earlier rule does not forward': {
      policy: `on_http_request:
  - expressions: ["req.url.path == '/healthz'"]
    actions: [${FORWARD}]
  - actions: [{ type: jwt-validation, config: ${JWT} }]
  - actions: [${FORWARD}]
`,
      profile: 'modern',
    },
    'for unreachable rules, which `logic/unreachable-rule` reports': {
      policy: `on_http_request:
  - actions: [${FORWARD}]
  - actions: [{ type: jwt-validation, config: ${JWT} }]
`,
      profile: 'modern',
    },
    'for rate limits': {
      policy: `on_http_request:
  - actions: [${CONTINUE}, { type: rate-limit, config: { name: a, capacity: 9, rate: 60s, bucket_key: [conn.client_ip] } }]
`,
      profile: 'modern',
    },
  },
});

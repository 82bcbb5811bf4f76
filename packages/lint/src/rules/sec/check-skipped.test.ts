import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { CHECK_SKIPPED } from './check-skipped.ts';

const BASIC = "{ type: basic-auth, config: { credentials: [\"${secrets.get('a', 'b')}\"] } }";

const modern = (condition: string, rest = '', check = BASIC) => ({
  policy: `on_http_request:
  - expressions: ["${condition}"]
    actions: [${check}]
${rest}`,
  profile: 'modern' as const,
});

testRule(it, CHECK_SKIPPED, {
  fires: {
    'for a membership test on headers': {
      ...modern("req.url.path.startsWith('/api/') && «'authorization' in req.headers»"),
      message: 'requests without `authorization` skip `basic-auth`; check all requests, or deny those without it',
    },
    'for query parameters and cookies': modern("«hasQueryParam('token')» && «hasReqCookie('sid')»"),
    'for tests that fail for a missing value': modern(
      "«getReqHeader('authorization').exists(a, a.startsWith('Bearer '))» && «size(getReqHeader('x-api-key')) > 0»",
    ),
    'in edge-v2': {
      policy: `inbound:
  - expressions: ["«hasReqHeader('Authorization')»"]
    actions:
      - type: jwt-validation
        config:
          issuer: { allow_list: [{ value: https://id.example.com/ }] }
          audience: { allow_list: [{ value: https://api.example.com }] }
          http: { tokens: [{ type: jwt, method: header, name: Authorization, prefix: "Bearer " }] }
          jws: { allowed_algorithms: [RS256] }
`,
    },
  },
  silent: {
    'when requests without the header are denied': modern(
      "hasReqHeader('authorization')",
      `  - expressions: ["!hasReqHeader('authorization')"]\n    actions: [{ type: deny, config: { status_code: 401 } }]\n`,
    ),
    'when it is skipped for requests that contain something': modern("!hasReqCookie('session')"),
    'when another check handles requests without the header': modern(
      "hasReqHeader('x-api-key')",
      `  - expressions: ["!hasReqHeader('x-api-key')"]\n    actions: [{ type: verify-webhook, config: { provider: github, secret: "\${secrets.get('a', 'b')}" } }]\n`,
    ),
    'for one operand of a disjunction': modern("hasReqHeader('authorization') || req.url.path == '/login'"),
    'for values that select a check': modern("getReqHeader('x-stage').exists(s, s == 'beta')"),
    'for rate limits': modern(
      "hasReqHeader('authorization')",
      '',
      '{ type: rate-limit, config: { name: a, capacity: 9, rate: 60s, bucket_key: [conn.client_ip] } }',
    ),
  },
});

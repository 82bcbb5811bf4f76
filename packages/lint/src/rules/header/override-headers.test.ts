import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { OVERRIDE_HEADERS } from './override-headers.ts';

testRule(it, OVERRIDE_HEADERS, {
  fires: {
    'once per policy': {
      policy: `on_http_request:
  - expressions: ["«req.url.path.startsWith('/admin/')»"]
    actions: [{ type: deny }]
  - expressions: ["req.url.path == '/internal'"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
      message:
        'upstream may take the path from `X-Original-URL`, `X-Rewrite-URL`; remove these headers from all requests',
      severity: 'info',
    },
    'for a header that is not removed': {
      policy: `inbound:
  - actions: [{ type: remove-headers, config: { headers: [x-original-url] } }]
  - expressions: ["!(«req.Path in ['/', '/shop']»)"]
    actions: [{ type: deny }]
`,
      message: 'upstream may take the path from `X-Rewrite-URL`; remove this header from all requests',
    },
    'for a condition on such a header': {
      policy: when("!«getReqHeader('X-Original-URL')[0].startsWith('/public/')»"),
      message: 'clients can set `X-Original-URL` to any value, so anyone can pass; test the request itself',
      severity: 'warning',
    },
    'for methods in the profile edge-v2-snake': {
      policy: when("!(«req.method in ['GET', 'HEAD']»)"),
      profile: 'edge-v2-snake',
    },
  },
  silent: {
    'when a rule denies requests with such headers': {
      policy: `on_http_request:
  - expressions: ["hasReqHeader('x-original-url') || hasReqHeader('x-rewrite-url')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  - expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'when no rule denies by path': when("req.Path == '/'", { action: '{type: log}' }),
  },
});

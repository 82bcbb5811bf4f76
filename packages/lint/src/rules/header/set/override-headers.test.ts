import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { OVERRIDE_HEADERS } from './override-headers.ts';

testRule(it, OVERRIDE_HEADERS, {
  fires: {
    'once a policy': {
      policy: `on_http_request:
  - expressions: ["«req.url.path.startsWith('/admin/')»"]
    actions: [{ type: deny }]
  - expressions: ["req.url.path == '/internal'"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
      message:
        'the upstream may take another path from `X-Original-URL`, `X-Rewrite-URL`; remove these headers from all requests',
      severity: 'info',
    },
    'for what is left': {
      policy: `inbound:
  - actions: [{ type: remove-headers, config: { headers: [x-original-url] } }]
  - expressions: ["!(«req.Path in ['/', '/shop']»)"]
    actions: [{ type: deny }]
`,
      message: 'the upstream may take another path from `X-Rewrite-URL`; remove that header from all requests',
    },
    'for decisions by them': {
      policy: when("!«getReqHeader('X-Original-URL')[0].startsWith('/public/')»"),
      message: 'clients send `X-Original-URL` with any value, so this lets anyone pass; decide by the request itself',
      severity: 'warning',
    },
    'in snake case, for methods': { policy: when("!(«req.method in ['GET', 'HEAD']»)"), profile: 'edge-v2-snake' },
  },
  silent: {
    'where they are refused': {
      policy: `on_http_request:
  - expressions: ["hasReqHeader('x-original-url') || hasReqHeader('x-rewrite-url')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  - expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'where nothing is refused by path': when("req.Path == '/'", { action: '{type: log}' }),
  },
});

import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { REWRITE_PAST_GUARD } from './rewrite-past-guard.ts';

const modern = (rewrite: string, guard = "req.url.path.startsWith('/admin')", extra = '') => ({
  policy: `on_http_request:
  - name: closed
    expressions: ["${guard}"]
    actions: [{ type: deny }]
  - ${extra}actions: [{ type: url-rewrite, config: { ${rewrite} } }]
`,
  profile: 'modern' as const,
});

testRule(it, REWRITE_PAST_GUARD, {
  fires: {
    'for part of the path': {
      ...modern('from: /old/, to: «/admin/»'),
      message:
        '`/old/` becomes `/admin/`, which rule 1 `closed` denies but has already let pass; move that rule after the rewrite',
    },
    'for a whole URL with interpolations': modern('to: "«https://${req.host}/admin/report»"'),
    'for groups that the replacement inserts': modern(
      'from: "^https?://[^/]+/go/([a-z]+)$", to: "«https://app.example.com/$1/x»"',
      "req.url.path.startsWith('/a/')",
    ),
    'when an authentication check is bypassed': {
      policy: `on_http_request:
  - name: staff
    expressions: ["req.url.path.startsWith('/internal/')"]
    actions: [{ type: basic-auth, config: { credentials: ["\${secrets.get('a', 'b')}"] } }]
  - name: reports
    expressions: ["req.url.path == '/report'"]
    actions: [{ type: url-rewrite, config: { from: /report, to: «/internal/report» } }]
`,
      profile: 'modern',
    },
    'for a replacement that inserts parts of the request': {
      policy: `inbound:
  - expressions: ["req.Path in ['/admin', '/internal']"]
    actions: [{ type: deny }]
  - actions: [{ type: url-rewrite, config: { from: "^.*/start.*$", to: "«$scheme://$authority/internal$is_args$args»" } }]
`,
    },
  },
  silent: {
    'when the guard comes later': {
      policy: `on_http_request:
  - actions: [{ type: url-rewrite, config: { from: /old/, to: /admin/ } }]
  - expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'when the original path is denied too': modern(
      'from: /old/, to: /admin/',
      "req.url.path.startsWith('/admin/') || req.url.path.startsWith('/old/')",
    ),
    'for other paths': modern('from: /old/, to: /new/'),
    'for a rewrite limited to some addresses': modern(
      'from: /old/, to: /admin/',
      undefined,
      'expressions: ["conn.client_ip == \'203.0.113.7\'"]\n    ',
    ),
  },
});

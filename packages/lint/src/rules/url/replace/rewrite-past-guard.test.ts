import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
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
    'for a part of the path': {
      ...modern('from: /old/, to: «/admin/»'),
      message:
        '`/old/` becomes `/admin/`, which rule 1 `closed` keeps out but has already let pass; move that rule behind the rewrite',
    },
    'for the whole URL, with expressions in it': modern('to: "«https://${req.host}/admin/report»"'),
    'for what groups hold': modern(
      'from: "^https?://[^/]+/go/([a-z]+)$", to: "«https://app.example.com/$1/x»"',
      "req.url.path.startsWith('/a/')",
    ),
    'where a check is passed': {
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
    'with parts of the request': {
      policy: `inbound:
  - expressions: ["req.Path in ['/admin', '/internal']"]
    actions: [{ type: deny }]
  - actions: [{ type: url-rewrite, config: { from: "^.*/start.*$", to: "«$scheme://$authority/internal$is_args$args»" } }]
`,
    },
  },
  silent: {
    'where the guard comes later': {
      policy: `on_http_request:
  - actions: [{ type: url-rewrite, config: { from: /old/, to: /admin/ } }]
  - expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'where what is rewritten is kept out too': modern(
      'from: /old/, to: /admin/',
      "req.url.path.startsWith('/admin/') || req.url.path.startsWith('/old/')",
    ),
    'for other paths': modern('from: /old/, to: /new/'),
    'for clients that may': modern(
      'from: /old/, to: /admin/',
      undefined,
      'expressions: ["conn.client_ip == \'203.0.113.7\'"]\n    ',
    ),
  },
});

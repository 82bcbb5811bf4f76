import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NORMALISATION_BYPASS } from './normalisation-bypass.ts';

testRule(it, NORMALISATION_BYPASS, {
  fires: {
    'for one path of a list': {
      policy: when("«req.Path in ['/admin', '/robots.txt']»"),
      message: '`/admin/` is not denied, but most applications treat it like `/admin`; test for it too',
    },
    'for a substring of the URL': {
      policy: when("«req.url.contains('/admin/')»", { phase: 'on_http_request' }),
      profile: 'modern',
      message: '`/%61dmin/` is not denied, but most applications treat it like `/admin/`; test for it too',
    },
    'for a directory whose own path is not checked': {
      policy: when("«req.url.path.startsWith('/admin/')»", {
        phase: 'on_http_request',
        action: "{type: basic-auth, config: {credentials: [\"${secrets.get('a', 'b')}\"]}}",
      }),
      profile: 'modern',
      message: '`/admin` is not checked, but most applications treat it like `/admin/`; test for it too',
    },
  },
  silent: {
    'when another rule redirects the path without the slash': {
      policy: `on_http_request:
  - expressions: ["req.url.path == '/admin'"]
    actions: [{ type: redirect, config: { to: https://a.example/admin/ } }]
  - expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'when the condition also tests the other spelling': when("req.Path == '/admin' || req.Path.matches('^/admin/')"),
    'for a path with a trailing slash and a file': when("req.Path == '/admin/' || req.Path == '/robots.txt'"),
    'for rules that deny malformed requests': when(
      "req.Path == '/form' && req.Method != 'POST' || req.Path == '/search' && !hasQueryParam('q')",
    ),
    'for a rule that only logs': when("req.Path == '/admin'", { action: '{type: log}' }),
    'for what scanners look for': when("req.Path == '/server-status'", {
      action: '{type: deny, config: {status_code: 404}}',
    }),
    'for allowed paths': when("req.Path != '/healthz' && !(req.Path == '/ready')"),
  },
});

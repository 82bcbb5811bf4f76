import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NORMALISATION_BYPASS } from './normalisation-bypass.ts';

testRule(it, NORMALISATION_BYPASS, {
  fires: {
    'for one path of a list': {
      policy: when("«req.Path in ['/admin', '/robots.txt']»"),
      message: '`/admin/` is not denied, but most applications treat it like `/admin`; deny it too',
    },
    'for a substring of the URL': {
      policy: when("«req.url.contains('/admin/')»", { phase: 'on_http_request' }),
      profile: 'modern',
      message: '`/%61dmin/` is not denied, but most applications treat it like `/admin/`; deny it too',
    },
  },
  silent: {
    'when the condition also tests the other spelling': when("req.Path == '/admin' || req.Path.matches('^/admin/')"),
    'for a path with a trailing slash and a file': when("req.Path == '/admin/' || req.Path == '/robots.txt'"),
    'for rules that deny malformed requests': when(
      "req.Path == '/form' && req.Method != 'POST' || req.Path == '/search' && !hasQueryParam('q')",
    ),
    'for a rule that only logs': when("req.Path == '/admin'", { action: '{type: log}' }),
    'for allowed paths': when("req.Path != '/healthz' && !(req.Path == '/ready')"),
  },
});

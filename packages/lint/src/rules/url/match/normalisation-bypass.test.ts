import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { NORMALISATION_BYPASS } from './normalisation-bypass.ts';

testRule(it, NORMALISATION_BYPASS, {
  fires: {
    'for one of a list': {
      policy: when("«req.Path in ['/admin', '/robots.txt']»"),
      message: '`/admin/` is not refused here, and most applications take it for `/admin`; refuse it as well',
    },
    'for a part of the whole URL': {
      policy: when("«req.url.contains('/admin/')»", { phase: 'on_http_request' }),
      profile: 'modern',
      message: '`/%61dmin/` is not refused here, and most applications take it for `/admin/`; refuse it as well',
    },
  },
  silent: {
    'where the condition has the other spelling too': when("req.Path == '/admin' || req.Path.matches('^/admin/')"),
    'where something else decides as well': when("req.Path == '/admin/' || req.Path == '/robots.txt'"),
    'for requests that are malformed': when(
      "req.Path == '/form' && req.Method != 'POST' || req.Path == '/search' && !hasQueryParam('q')",
    ),
    'for what is no refusal': when("req.Path == '/admin'", { action: '{type: log}' }),
    'for paths that are spared': when("req.Path != '/healthz' && !(req.Path == '/ready')"),
  },
});

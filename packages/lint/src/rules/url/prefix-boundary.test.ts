import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { PREFIX_BOUNDARY } from './prefix-boundary.ts';

testRule(it, PREFIX_BOUNDARY, {
  fires: {
    'for a version': {
      policy: when("!«req.Path.startsWith('/api/v1')»"),
      message: '`/api/v1` also matches `/api/v1x`; test for `/api/v1` and `/api/v1/`',
      suggested: when("!(req.Path == '/api/v1' || req.Path.startsWith('/api/v1/'))"),
    },
    'as info for a rule that does not deny, if asked to': {
      policy: when("«req.Path.startsWith('/shop')»", {
        action: '{type: add-headers, config: {headers: {X-Part: shop}}}',
      }),
      options: { routes: true },
      severity: 'info',
    },
    'before an authentication check': {
      policy: when("«req.url.path.startsWith('/admin')»", {
        phase: 'on_http_request',
        action: "{type: basic-auth, config: {credentials: [\"${secrets.get('a', 'b')}\"]}}",
      }),
      profile: 'modern',
      severity: 'warning',
    },
    'for a pattern that only tests a prefix': {
      policy: when("«req.Path.matches('^/api')»"),
      message: '`/api` also matches `/apix`; test for `/api` and `/api/`',
      suggested: when("req.Path == '/api' || req.Path.startsWith('/api/')"),
    },
    'for each member of a list': {
      policy: when("['/static/', «'/api'», «'/admin'»].exists(p, req.Path.startsWith(p))"),
      message: '`/api` also matches `/apix`; test for `/api` and `/api/`',
    },
    'in the modern profile': {
      policy: when('«req.url.path.startsWith("/a")»', { phase: 'on_http_request' }),
      profile: 'modern',
      suggested: when('req.url.path == "/a" || req.url.path.startsWith("/a/")', { phase: 'on_http_request' }),
    },
  },
  silent: {
    'for prefixes that are open on purpose': when(
      "req.Path.startsWith('/wp-') || req.Path.startsWith('/admin/') || req.Path.startsWith('/.') || req.Path.startsWith('/')",
    ),
    'for routes': when("req.Path.startsWith('/shop')", {
      action: '{type: add-headers, config: {headers: {X-Part: shop}}}',
    }),
    'for strings that are not paths': when("req.Host.startsWith('shop')"),
  },
});

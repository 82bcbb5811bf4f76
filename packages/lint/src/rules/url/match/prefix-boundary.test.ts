import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { PREFIX_BOUNDARY } from './prefix-boundary.ts';

testRule(it, PREFIX_BOUNDARY, {
  fires: {
    'for a version': {
      policy: when("!«req.Path.startsWith('/api/v1')»"),
      message: '`/api/v1` is also the beginning of `/api/v1x`; ask for `/api/v1/`, and for `/api/v1` itself',
      suggested: when("!(req.Path == '/api/v1' || req.Path.startsWith('/api/v1/'))"),
    },
    'of what is only routed, as a note': {
      policy: when("«req.Path.startsWith('/shop')»", {
        action: '{type: add-headers, config: {headers: {X-Part: shop}}}',
      }),
      severity: 'info',
    },
    'before a check': {
      policy: when("«req.url.path.startsWith('/admin')»", {
        phase: 'on_http_request',
        action: "{type: basic-auth, config: {credentials: [\"${secrets.get('a', 'b')}\"]}}",
      }),
      profile: 'modern',
      severity: 'warning',
    },
    'in other profiles': {
      policy: when('«req.url.path.startsWith("/a")»', { phase: 'on_http_request' }),
      profile: 'modern',
      suggested: when('(req.url.path == "/a" || req.url.path.startsWith("/a/"))', { phase: 'on_http_request' }),
    },
  },
  silent: {
    'for beginnings that are meant to go on': when(
      "req.Path.startsWith('/wp-') || req.Path.startsWith('/admin/') || req.Path.startsWith('/.') || req.Path.startsWith('/')",
    ),
    'for other texts': when("req.Host.startsWith('shop')"),
  },
});

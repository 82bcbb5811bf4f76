import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { IMPOSSIBLE_TEXT } from './impossible-text.ts';

testRule(it, IMPOSSIBLE_TEXT, {
  fires: {
    'for a path in the place of a URL': {
      policy: when("req.URL.matches('«^/»admin/')"),
      message: 'no URL begins with `/`: it begins with the scheme; write `^https?://[^/]+` before a path',
    },
    'for a path without its slash': {
      policy: when("req.Path in ['/a', «'login'»]"),
      message: '`login` is the beginning of no path; write `/login`',
    },
    'for parts that are never there': when(
      "req.URL.contains(«'/a b'») || req.URL.endsWith(«'#top'») || req.Path.contains(«'?x='»)",
    ),
    'for a host that is filled in': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: url-rewrite, config: {from: "^${«req.url.authority»}/products", to: /shop}}',
      }),
      profile: 'modern',
      message: 'no URL begins with `req.url.authority`: it begins with the scheme; write `^https?://` before',
    },
    'for one of several alternatives': when("req.Path.matches('^/a/|«^b»/')"),
  },
  silent: {
    'for ends and parts of paths': when("req.Path.endsWith('.php') || req.Path.contains('wp-') || req.Path != ''"),
    'for decoded spaces of a path': when("req.Path == '/a b'"),
    'for patterns that may begin with the scheme': when(
      "req.URL.matches('^(https|http)://') || req.URL.matches('^[^:]+:')",
    ),
  },
});

import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { IMPOSSIBLE_TEXT } from './impossible-text.ts';

testRule(it, IMPOSSIBLE_TEXT, {
  fires: {
    'for a path instead of a URL': {
      policy: when("req.URL.matches('«^/»admin/')"),
      message: 'no URL starts with `/`: it starts with the scheme; insert `^https?://[^/]+`',
    },
    'for a path without its slash': {
      policy: when("req.Path in ['/a', «'login'»]"),
      message: '`login` starts no path: paths start with a slash; write `/login`',
    },
    'for substrings that never occur': when(
      "req.URL.contains(«'/a b'») || req.URL.endsWith(«'#top'») || req.Path.contains(«'?x='»)",
    ),
    'for an interpolated host': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: url-rewrite, config: {from: "^${«req.url.authority»}/products", to: /shop}}',
      }),
      profile: 'modern',
      message: 'no URL starts with `req.url.authority`: it starts with the scheme; insert `^https?://`',
    },
    'for one of several alternatives': when("req.Path.matches('^/a/|«^b»/')"),
  },
  silent: {
    'for suffixes and substrings of paths': when(
      "req.Path.endsWith('.php') || req.Path.contains('wp-') || req.Path != ''",
    ),
    'for decoded spaces in a path': when("req.Path == '/a b'"),
    'for patterns that may start with the scheme': when(
      "req.URL.matches('^(https|http)://') || req.URL.matches('^[^:]+:')",
    ),
  },
});

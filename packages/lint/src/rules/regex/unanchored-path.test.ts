import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNANCHORED_PATH } from './unanchored-path.ts';

testRule(it, UNANCHORED_PATH, {
  fires: {
    'for a guarded path': {
      policy: when("req.Path.matches('«/admin»')"),
      message: '`/admin` also matches `/docs/admin-guide`; write `^/admin(/|$)`',
      suggested: when("req.Path.matches('^/admin(/|$)')"),
    },
    'for a directory': {
      policy: when("req.Path.matches('«/private/»')"),
      suggested: when("req.Path.matches('^/private/')"),
    },
  },
  silent: {
    'for anchored patterns': when("req.Path.matches('^/admin') || req.Path.matches('[.]php$')"),
    'for patterns with classes': when("req.Path.matches('/[.]')"),
    'for URLs': when("req.URL.matches('/admin')"),
    'for rules that do not deny': when("req.Path.matches('/admin')", { action: '{type: log}' }),
  },
});

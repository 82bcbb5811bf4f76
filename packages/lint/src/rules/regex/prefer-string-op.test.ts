import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { PREFER_STRING_OP } from './prefer-string-op.ts';

testRule(it, PREFER_STRING_OP, {
  fires: {
    'for a suffix, without its escapes': {
      policy: when(String.raw`!«req.Path.matches(r'\.php$')»`),
      message: "pattern matches a fixed string; write `req.Path.endsWith('.php')`",
      fixed: when("!req.Path.endsWith('.php')"),
    },
    'for a whole string, with parentheses where needed': {
      policy: when("!«req.Path.matches('^/login$')» && true"),
      fixed: when("!(req.Path == '/login') && true"),
    },
    'for an operand in parentheses, which the fix keeps': {
      policy: when("«(req.Method + req.Path).matches('^GET/a')» || «(req.Method + req.Path).matches('^GET/b$')»"),
      fixed: when("(req.Method + req.Path).startsWith('GET/a') || ((req.Method + req.Path) == 'GET/b')"),
    },
    'for a substring': {
      policy: when('«req.Host.matches("staging[.]")»'),
      fixed: when('req.Host.contains("staging.")'),
    },
    'for a whole string without parentheses': {
      policy: when("«req.Path.matches('^/login$')»"),
      fixed: when("req.Path == '/login'"),
    },
  },
  silent: {
    'for patterns with special syntax': when("req.Path.matches('^/a.c') || req.Path.matches('(?i)^/api')"),
    'for prefixes that `url/prefix-boundary` reports': when("req.Path.matches('^/api')"),
    'for the empty pattern': when("req.Path.matches('')"),
  },
});

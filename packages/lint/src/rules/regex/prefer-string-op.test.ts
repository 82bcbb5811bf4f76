import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { PREFER_STRING_OP } from './prefer-string-op.ts';

testRule(it, PREFER_STRING_OP, {
  fires: {
    'for the end of a text, escapes undone': {
      policy: when(String.raw`!«req.Path.matches(r'\.php$')»`),
      message: "this pattern only asks for a text; write `req.Path.endsWith('.php')`",
      fixed: when("!req.Path.endsWith('.php')"),
    },
    'for a whole text, in brackets where they are needed': {
      policy: when("!«req.Path.matches('^/login$')» && true"),
      fixed: when("!(req.Path == '/login') && true"),
    },
    'for what is in brackets, which stay': {
      policy: when("«(req.Method + req.Path).matches('^GET/a')» || «(req.Method + req.Path).matches('^GET/b$')»"),
      fixed: when("(req.Method + req.Path).startsWith('GET/a') || ((req.Method + req.Path) == 'GET/b')"),
    },
    'for a part': {
      policy: when('«req.Host.matches("staging[.]")»'),
      fixed: when('req.Host.contains("staging.")'),
    },
    'for a whole text by itself': {
      policy: when("«req.Path.matches('^/login$')»"),
      fixed: when("req.Path == '/login'"),
    },
  },
  silent: {
    'for patterns': when("req.Path.matches('^/a.c') || req.Path.matches('(?i)^/api')"),
    'for nothing, which is everywhere': when("req.Path.matches('')"),
  },
});

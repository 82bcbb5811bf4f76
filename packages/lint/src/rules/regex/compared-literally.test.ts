import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { COMPARED_LITERALLY } from './compared-literally.ts';

testRule(it, COMPARED_LITERALLY, {
  fires: {
    'for a glob that an operator compares': {
      policy: when("req.Path == «'/admin/*'»"),
      message: "`==` compares literally, and `/admin/*` is a glob; use `startsWith('/admin/')`",
      suggested: when("req.Path.startsWith('/admin/')"),
    },
    'for a glob in `startsWith`': {
      policy: when("req.Path.startsWith(«'/admin/*'»)"),
      message: "`startsWith` compares literally, and `/admin/*` is a glob; use `startsWith('/admin/')`",
      suggested: when("req.Path.startsWith('/admin/')"),
    },
    'for an inequality, which it negates': {
      policy: when("req.Path != «'/public/*'»"),
      suggested: when("!req.Path.startsWith('/public/')"),
    },
    'for a glob of hosts': {
      policy: when("req.Host == «'*.example.com'»"),
      message: "`==` compares literally, and `*.example.com` is a glob; use `endsWith('.example.com')`",
      suggested: when("req.Host.endsWith('.example.com')"),
    },
    'for a glob around a word': {
      policy: when("req.Path == «'*admin*'»"),
      suggested: when("req.Path.contains('admin')"),
    },
    'for a glob within a path': {
      policy: when("req.Path == «'/users/*/keys'»"),
      suggested: when("req.Path.matches('^/users/[^/]*/keys$')"),
    },
    'for a regular expression': {
      policy: when("req.Path == «'^/admin'»"),
      message: "`==` compares literally, and `^/admin` is a regular expression; use `startsWith('/admin')`",
      suggested: when("req.Path.startsWith('/admin')"),
    },
    'for a regular expression with classes': {
      policy: when("req.Path == «'/v[0-9]+/users'»"),
      suggested: when("req.Path.matches('^/v[0-9]+/users')"),
    },
    'for a regular expression that ends in anything': {
      policy: when("req.Path == «'/admin/.*'»"),
      suggested: when("req.Path.startsWith('/admin/')"),
    },
    'in the modern profile, and in lists without a fix': {
      policy: when("req.url.path in ['/health', «'/admin/*'»]", { phase: 'on_http_request' }),
      profile: 'modern',
      message: "`in` compares literally, and `/admin/*` is a glob; use `startsWith('/admin/')`",
    },
  },
  silent: {
    'for plain paths and hosts': when(
      "req.Path == '/a.b/c-d' || req.Host == 'example.com' || req.Path.startsWith('/wp-') || req.Path.contains('..')",
    ),
    'for the path of OPTIONS': when("req.Path == '*'"),
    'for what reads patterns': when("req.Path.matches('^/admin/.*')"),
    'for other inputs': when("getReqHeader('Accept').exists(v, v == '*/*')"),
    'for a comment or a matrix in a path': when("req.Path.contains('[0]')"),
  },
});

import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { CHECK_EXEMPTED } from './check-exempted.ts';

const AUTH = "{type: basic-auth, config: {credentials: [\"${secrets.get('a', 'b')}\"]}}";

const checking = (condition: string, action = AUTH) =>
  ({ policy: when(condition, { phase: 'on_http_request', action }), profile: 'modern' }) as const;

testRule(it, CHECK_EXEMPTED, {
  fires: {
    'for an ending': {
      ...checking("!«req.url.path.endsWith('.css')»"),
      message: '`/private/x.css` skips `basic-auth` too; exempt complete paths, or a directory with `startsWith`',
    },
    'for a part': {
      ...checking("!«req.url.path.contains('/health')»"),
      message: '`/private/health` skips `basic-auth` too; exempt complete paths, or a directory with `startsWith`',
    },
    'for each of several': checking("!(«req.url.path.endsWith('.css')» || «req.url.path.endsWith('.js')»)"),
    'for a rule that denies the rest': {
      policy: when("!«req.Path.contains('/public')» && !hasReqHeader('Authorization')"),
    },
  },
  silent: {
    'for a directory': checking("!req.url.path.startsWith('/assets/')"),
    'for a whole path': checking("req.url.path != '/health'"),
    'for a file type in a directory': checking(
      "!(req.url.path.startsWith('/assets/') && req.url.path.endsWith('.css'))",
    ),
    'for paths that are checked': checking("req.url.path.contains('/admin')"),
    'for a rule that checks nothing': checking(
      "!req.url.path.endsWith('.css')",
      '{type: log, config: {metadata: {a: b}}}',
    ),
  },
});

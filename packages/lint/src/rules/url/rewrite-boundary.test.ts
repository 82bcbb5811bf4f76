import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { REWRITE_BOUNDARY } from './rewrite-boundary.ts';

const rewriting = (from: string, to: string, type = 'url-rewrite') =>
  `inbound:\n  - actions: [{ type: ${type}, config: { from: "${from}", to: "${to}" } }]\n`;

testRule(it, REWRITE_BOUNDARY, {
  fires: {
    'for a bare pattern': {
      policy: rewriting('«/static(.*)»', '/files$1'),
      message: '`/statics` is rewritten too; write `/static([/?].*)?$`',
    },
    'for a redirect': rewriting('^https://a[.]example«/old(.*)$»', 'https://a.example/new$1', 'redirect'),
  },
  silent: {
    'for a group that begins with a slash': rewriting('^(https?://[^/]+)/static(/.*)?$', '$1/files$2'),
    'for a group behind a slash': rewriting('^(https?://[^/]+)/static/(.*)$', '$1/files/$2'),
    'for a group that is inserted behind a slash': rewriting('/static(.*)', '/files/$1'),
    'for a group that is not inserted': rewriting('/static(.*)', '/files'),
  },
});

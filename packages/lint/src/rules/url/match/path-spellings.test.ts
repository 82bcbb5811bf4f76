import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { PATH_SPELLINGS } from './path-spellings.ts';

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

testRule(it, PATH_SPELLINGS, {
  fires: {
    'once a policy': {
      policy: `on_http_request:
  - expressions: ["«req.url.path == '/admin'» || req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
  - expressions: ["req.url.path.startsWith('/internal/')"]
    actions: [{ type: basic-auth, config: { credentials: ["\${secrets.get('a', 'b')}"] } }]
`,
      profile: 'modern',
      message:
        '`//admin`, `/x/../admin`, `/./admin` are not refused as `/admin` is; refuse paths that are not in their simplest form first',
    },
    'for raw paths, which are not decoded': {
      policy: `on_http_request:
  - expressions: ["req.url.raw_path.matches('//|/[.]|;')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  - expressions: ["«req.url.raw_path.startsWith('/admin/')»"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
      message:
        '`/admi%6e/`, `/ADMIN/`, `/admin./` are not refused as `/admin/` is; refuse paths that are not in their simplest form first',
    },
    'for URLs': modern("req.url.contains('//x') || «req.url.startsWith('https://app.example.com/admin/')»"),
    'for patterns': { policy: when("«req.Path.matches('^/(admin|internal)(/|$)')»") },
    'in snake case': { policy: when("«req.url.path in ['/admin', '/wp-login.php']»"), profile: 'edge-v2-snake' },
  },
  silent: {
    'where a rule refuses other spellings': {
      policy: `on_http_request:
  - expressions: ["req.url.path.contains('//') || req.url.path.contains('/.') || req.url.path.contains(';')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  - expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'where the path is found in any spelling': modern("req.url.path.contains('admin')"),
    'where paths are let pass': modern("!req.url.path.startsWith('/public/')"),
    'where nothing is refused': modern("req.url.path.startsWith('/admin/')", '{type: log}'),
  },
});

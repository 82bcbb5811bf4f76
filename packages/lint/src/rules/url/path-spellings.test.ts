import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { PATH_SPELLINGS } from './path-spellings.ts';

const modern = (condition: string, action = '{type: deny}') => ({
  policy: when(condition, { phase: 'on_http_request', action }),
  profile: 'modern' as const,
});

testRule(it, PATH_SPELLINGS, {
  fires: {
    'once per policy': {
      policy: `on_http_request:
  - expressions: ["«req.url.path == '/admin'» || req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
  - expressions: ["req.url.path.startsWith('/internal/')"]
    actions: [{ type: basic-auth, config: { credentials: ["\${secrets.get('a', 'b')}"] } }]
`,
      profile: 'modern',
      message:
        '`//admin`, `/x/../admin`, `/./admin` are not denied like `/admin`; deny paths that are not in normal form first',
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
        '`/admi%6e/`, `/ADMIN/`, `/admin./` are not denied like `/admin/`; deny paths that are not in normal form first',
    },
    'for URLs': modern("req.url.contains('//x') || «req.url.startsWith('https://app.example.com/admin/')»"),
    'for patterns': { policy: when("«req.Path.matches('^/(admin|internal)(/|$)')»") },
    'in the profile edge-v2-snake': {
      policy: when("«req.url.path in ['/admin', '/wp-login.php']»"),
      profile: 'edge-v2-snake',
    },
  },
  silent: {
    'for what scanners look for': when("req.Path.startsWith('/wp-')", {
      action: '{type: deny, config: {status_code: 404}}',
    }),
    'when a rule denies other spellings': {
      policy: `on_http_request:
  - expressions: ["req.url.path.contains('//') || req.url.path.contains('/.') || req.url.path.contains(';')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  - expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
      profile: 'modern',
    },
    'when the condition matches every spelling': modern("req.url.path.contains('admin')"),
    'for allowed paths': modern("!req.url.path.startsWith('/public/')"),
    'for a rule that only logs': modern("req.url.path.startsWith('/admin/')", '{type: log}'),
  },
});

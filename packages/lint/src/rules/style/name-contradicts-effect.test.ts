import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { NAME_CONTRADICTS_EFFECT } from './name-contradicts-effect.ts';

const rule = (name: string, condition: string, action = '{type: deny}') => `inbound:
  - name: ${name}
    expressions: ["${condition}"]
    actions: [${action}]
`;

testRule(it, NAME_CONTRADICTS_EFFECT, {
  fires: {
    'for what denies what it allows by its name': {
      policy: rule('«AllowTLS1.3»', "conn.TLS.Version.contains('1.3')"),
      endpoint: 'tls-edge',
      message:
        '`AllowTLS1.3` is the name of a rule that refuses what matches by `deny`; turn the condition round, or name it after what it does',
    },
    'for other words': { policy: rule('«permit the office»', "req.Host == 'a'") },
    'for what lets pass what it denies': {
      policy: `on_http_request:
  - name: «block-scanners»
    expressions: ["req.host == 'a'"]
    actions: [{type: forward-internal, config: {url: "https://a.internal"}}]
`,
      profile: 'modern',
    },
  },
  silent: {
    'for what denies all others': rule('AllowPartners', "conn.ClientIP != '203.0.113.7'"),
    'for names that turn it round': rule('allow only staff', "req.Host == 'a'"),
    'for what does as it says': rule('DenyPartners', "req.Host == 'a'"),
    'for words that only begin alike': rule('allowance pages', "req.Host == 'a'"),
    'for what ends nothing': rule('AllowPartners', "req.Host == 'a'", '{type: log}'),
  },
});

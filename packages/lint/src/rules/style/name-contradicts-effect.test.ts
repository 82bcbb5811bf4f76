import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { NAME_CONTRADICTS_EFFECT } from './name-contradicts-effect.ts';

const rule = (name: string, condition: string, action = '{type: deny}') => `inbound:
  - name: ${name}
    expressions: ["${condition}"]
    actions: [${action}]
`;

testRule(it, NAME_CONTRADICTS_EFFECT, {
  fires: {
    'for a rule that denies what its name allows': {
      policy: rule('«AllowTLS1.3»', "conn.TLS.Version.contains('1.3')"),
      endpoint: 'tls-edge',
      message: 'rule `AllowTLS1.3` denies what it matches with `deny`; invert the condition, or rename the rule',
    },
    'for other words for allowing': { policy: rule('«permit the office»', "req.Host == 'a'") },
    'for a rule that forwards what its name denies': {
      policy: `on_http_request:
  - name: «block-scanners»
    expressions: ["req.host == 'a'"]
    actions: [{type: forward-internal, config: {url: "https://a.internal"}}]
`,
      profile: 'modern',
    },
  },
  silent: {
    'for a rule that denies everyone else': rule('AllowPartners', "conn.ClientIP != '203.0.113.7'"),
    'for a name with `only`': rule('allow only staff', "req.Host == 'a'"),
    'for a rule that does what its name says': rule('DenyPartners', "req.Host == 'a'"),
    'for words that only start like one': rule('allowance pages', "req.Host == 'a'"),
    'for a rule that only logs': rule('AllowPartners', "req.Host == 'a'", '{type: log}'),
  },
});

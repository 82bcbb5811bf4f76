import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { ALL_NEGATED_LIST } from './all-negated-list.ts';

function entries(conditions: readonly string[], action = '{type: deny}'): string {
  const list = conditions.map(condition => `      - ${condition}\n`).join('');
  return `inbound:\n  - name: a rule\n    expressions:\n${list}    actions: [${action}]\n`;
}

const TLS = ["«req.ClientTLS.CertCN != 'a'»", "req.ClientTLS.CipherSuite != 'b'", "req.ClientTLS.Version != 'c'"];

testRule(it, ALL_NEGATED_LIST, {
  fires: {
    'for fields of one object': {
      policy: entries(TLS),
      message: 'rule matches only if all 3 entries differ; join them with `||` if one is enough',
      suggested: entries([
        "req.ClientTLS.CertCN != 'a' || req.ClientTLS.CipherSuite != 'b' || req.ClientTLS.Version != 'c'",
      ]),
    },
    'for three unrelated inputs': entries(["«req.Host != 'a'»", "req.Method != 'b'", "req.Protocol != 'c'"]),
    'on TLS edges': {
      policy: entries(["«conn.TLS.SNI != 'a'»", "conn.TLS.Version != 'b'"]),
      endpoint: 'tls-edge',
    },
  },
  silent: {
    'for an exception from a denial': entries(["req.Host != 'a'", "req.Path != '/health'"]),
    'for several values of one input': entries(["req.Host != 'a'", "req.Host != 'b'", "req.Host != 'c'"]),
    'when one entry is not negated': entries(["req.Host != 'a'", "req.Method != 'b'", "req.Protocol == 'c'"]),
    'for a rule that only logs': entries(
      ["req.ClientTLS.SNI != 'a'", "req.ClientTLS.Version != 'b'"],
      '{type: log, config: {metadata: {a: b}}}',
    ),
  },
});

import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { PASSTHROUGH_CONFLICT } from './passthrough-conflict.ts';

const edge = (termination: string, policy: string) =>
  `{ "hostports": [], "tls_termination": { "terminate_at": "${termination}" }, ${policy} }`;
const when = (condition: string) =>
  `"inbound": [{ "name": "a", "expressions": ["${condition}"], "actions": [{ "type": "deny" }] }]`;
const ROUTE = '"match_type": "path_prefix", "match": "/"';

testRule(it, PASSTHROUGH_CONFLICT, {
  fires: {
    'at the key of each policy of HTTP': {
      policy: edge(
        'upstream',
        `"routes": [{ ${ROUTE}, "«policy»": { ${when("req.Method == 'PUT'")} } }, { ${ROUTE}, "policy": null }, { ${ROUTE}, "«policy»": { ${when('req.ContentLength > 5')} } }]`,
      ),
      isEdge: true,
      message:
        'the policy never runs: `terminate_at` is `upstream`, so that the edge sees no requests; let it be `edge`',
    },
    'for the certificate and the cipher in another dialect': {
      policy: edge(
        'agent',
        `"policy": { ${when("«conn.tls.cipher_suite» == 'a' || «conn.tls.client.subject.common_name» == 'b'")} }`,
      ),
      profile: 'edge-v2-snake',
      isEdge: true,
      message:
        '`conn.tls.cipher_suite` is not known here: `terminate_at` is `agent`, so that the edge does not see into TLS; let it be `edge`',
    },
  },
  silent: {
    'for the name that the client asked for': {
      policy: edge('upstream', `"policy": { ${when("conn.TLS.SNI == 'a' && conn.ClientIP == '1.2.3.4'")} }`),
      isEdge: true,
    },
    'without a word of TLS': {
      policy: `{ "routes": [{ ${ROUTE}, "policy": { ${when("req.Method == 'PUT'")} } }] }`,
      isEdge: true,
    },
  },
});

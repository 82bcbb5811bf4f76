import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { PASSTHROUGH_CONFLICT } from './passthrough-conflict.ts';

const edge = (termination: string, policy: string) =>
  `{ "hostports": [], "tls_termination": { "terminate_at": "${termination}" }, ${policy} }`;
const when = (condition: string) =>
  `"inbound": [{ "name": "a", "expressions": ["${condition}"], "actions": [{ "type": "deny" }] }]`;
const ROUTE = '"match_type": "path_prefix", "match": "/"';

testRule(it, PASSTHROUGH_CONFLICT, {
  fires: {
    'at the key of each HTTP policy': {
      policy: edge(
        'upstream',
        `"routes": [{ ${ROUTE}, "«policy»": { ${when("req.Method == 'PUT'")} } }, { ${ROUTE}, "policy": null }, { ${ROUTE}, "«policy»": { ${when('req.ContentLength > 5')} } }]`,
      ),
      isEdge: true,
      message: 'policy never runs: with `terminate_at: upstream` the edge sees no requests; set it to `edge`',
    },
    'for the certificate and cipher suite in the profile edge-v2-snake': {
      policy: edge(
        'agent',
        `"policy": { ${when("«conn.tls.cipher_suite» == 'a' || «conn.tls.client.subject.common_name» == 'b'")} }`,
      ),
      profile: 'edge-v2-snake',
      isEdge: true,
      message:
        '`conn.tls.cipher_suite` is unknown: with `terminate_at: agent` the edge does not decrypt TLS; set it to `edge`',
    },
  },
  silent: {
    'for the requested server name': {
      policy: edge('upstream', `"policy": { ${when("conn.TLS.SNI == 'a' && conn.ClientIP == '1.2.3.4'")} }`),
      isEdge: true,
    },
    'without TLS settings': {
      policy: `{ "routes": [{ ${ROUTE}, "policy": { ${when("req.Method == 'PUT'")} } }] }`,
      isEdge: true,
    },
  },
});

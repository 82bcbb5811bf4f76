import type { Shape } from '../../definition/field.ts';
import { described, field, list, module, oneOf, PLAIN, record, shape, text } from '../../definition/field-builders.ts';
import { LIMITS } from '../../definition/limits.ts';

const EDGE_TEXTS = { description: 7073, metadata: 7074 };

function hostports(source: string) {
  return field(
    list(
      text({
        formats: [
          { format: 'host-and-port', code: 7104 },
          { format: 'port-range', code: 7112 },
        ],
      }),
      { max: { limit: LIMITS.hostports, code: 7129 }, unique: { code: 7122, ignoreCase: true } },
    ),
    { default: [] },
    source,
    'Hostports that the edge serves, as `host:port`.',
  );
}

/** The policy in its newer form, which later clients send and read in records. */
const TRAFFIC_POLICY = {
  ...module('EndpointTrafficPolicy', 'EndpointTrafficPolicy', 'B 1.2'),
  doc: 'The policy of `policy` as a string; null when not configured. Requests give one of the two.',
} as const;

const ONE_POLICY = { kind: 'at-most-one', of: ['policy', 'traffic_policy'], code: 9028 } as const;

/** Edges and routes. */
export const EDGES = {
  HTTPSEdge: {
    doc: 'An edge for HTTPS traffic.',
    source: 'A 2.2',
    fields: {
      ...record('edge', 'A 2.2'),
      ...described('A 2.2', EDGE_TEXTS),
      hostports: hostports('A 2.2'),
      mutual_tls: module('EndpointMutualTLS', 'EndpointMutualTLS', 'A 2.2'),
      tls_termination: module('EndpointTLSTermination', 'EndpointTLSTerminationAtEdge', 'A 2.2'),
      routes: field(
        list(shape('HTTPSEdgeRoute')),
        { use: 'answer', default: [] },
        'A 2.2',
        'Routes of the edge; empty for a new edge.',
      ),
    },
  },
  HTTPSEdgeRoute: {
    doc: 'A route of an HTTPS edge.',
    source: 'A 2.7',
    fields: {
      ...record('route', 'A 2.7'),
      edge_id: field(PLAIN, { use: 'answer' }, 'A 2.7', 'Identifier of the edge that the route belongs to.'),
      match_type: field(
        oneOf(['exact_path', 'path_prefix'], 7130),
        { required: 7130, emptyIsAbsent: true },
        'A 2.7',
        'How `match` is compared with requests.',
      ),
      match: field(
        text({
          maxBytes: { limit: LIMITS.selectorBytes, code: 7135 },
          formats: [{ format: 'route-selector', code: 7131 }],
        }),
        { required: 7123, emptyIsAbsent: true },
        'A 2.7',
        'Traffic that the route matches: a path, a host, or a host followed by a path.',
      ),
      description: { ...described('A 2.7', EDGE_TEXTS).description, emptyIsAbsent: true },
      metadata: { ...described('A 2.7', EDGE_TEXTS).metadata, emptyIsAbsent: true },
      backend: module('EndpointBackend', 'EndpointBackend', 'A 2.7'),
      ip_restriction: module('EndpointIPPolicy', 'EndpointIPPolicy', 'A 2.7'),
      circuit_breaker: module('EndpointCircuitBreaker', 'EndpointCircuitBreaker', 'A 2.7'),
      compression: module('EndpointCompression', 'EndpointCompression', 'A 2.7'),
      request_headers: module('EndpointRequestHeaders', 'EndpointRequestHeaders', 'A 2.7'),
      response_headers: module('EndpointResponseHeaders', 'EndpointResponseHeaders', 'A 2.7'),
      webhook_verification: module('EndpointWebhookValidation', 'EndpointWebhookValidation', 'A 2.7'),
      oauth: module('EndpointOAuth', 'EndpointOAuth', 'A 2.7'),
      saml: module('EndpointSAML', 'EndpointSAML', 'A 2.7'),
      oidc: module('EndpointOIDC', 'EndpointOIDC', 'A 2.7'),
      websocket_tcp_converter: module('EndpointWebsocketTCPConverter', 'EndpointWebsocketTCPConverter', 'A 2.7'),
      user_agent_filter: module('EndpointUserAgentFilter', 'EndpointUserAgentFilter', 'A 2.7'),
      policy: module('EndpointPolicy', 'EndpointPolicy', 'A 2.7'),
      traffic_policy: TRAFFIC_POLICY,
    },
    rules: [ONE_POLICY],
  },
  TLSEdge: {
    doc: 'An edge for TLS traffic.',
    source: 'B 1.3',
    fields: {
      ...record('edge', 'B 1.3'),
      ...described('B 1.3', EDGE_TEXTS),
      hostports: hostports('B 1.3'),
      backend: module('EndpointBackend', 'EndpointBackend', 'B 1.3'),
      ip_restriction: module('EndpointIPPolicy', 'EndpointIPPolicy', 'B 1.3'),
      mutual_tls: module('EndpointMutualTLS', 'EndpointMutualTLS', 'B 1.3'),
      tls_termination: module('EndpointTLSTermination', 'EndpointTLSTermination', 'B 1.3'),
      policy: module('EndpointPolicy', 'EndpointPolicy', 'B 1.3'),
      traffic_policy: TRAFFIC_POLICY,
    },
    rules: [ONE_POLICY],
  },
  TCPEdge: {
    doc: 'An edge for TCP traffic.',
    source: 'B 1.3',
    fields: {
      ...record('edge', 'B 1.3'),
      ...described('B 1.3', EDGE_TEXTS),
      hostports: hostports('B 1.3'),
      backend: module('EndpointBackend', 'EndpointBackend', 'B 1.3'),
      ip_restriction: module('EndpointIPPolicy', 'EndpointIPPolicy', 'B 1.3'),
      policy: module('EndpointPolicy', 'EndpointPolicy', 'B 1.3'),
      traffic_policy: TRAFFIC_POLICY,
    },
    rules: [ONE_POLICY],
  },
} as const satisfies Record<string, Shape>;

// The shapes of edges, and of the modules that edges and routes share.

import {
  described,
  ENABLED,
  field,
  JSON_OBJECT,
  list,
  module,
  oneOf,
  PLAIN_TEXT,
  record,
  referenceTo,
  type Shape,
  shape,
  text,
} from '../definition/field.ts';
import { BACKEND_KINDS } from '../definition/operation.ts';
import { LIMITS } from '../definition/wire.ts';

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
      edge_id: field(PLAIN_TEXT, { use: 'answer' }, 'A 2.7', 'Identifier of the edge that the route belongs to.'),
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

const MIN_VERSION = field(
  oneOf(['1.0', '1.1', '1.2', '1.3'], 219),
  { nullable: true },
  'A 2.5, B 1.5',
  'Minimum TLS version that is accepted and advertised in the handshake.',
);

/** Modules shared by several kinds of edges, and the reference in responses. */
export const EDGE_MODULES = {
  Ref: {
    doc: 'A reference to another record.',
    source: 'A 2.1',
    fields: {
      id: field(PLAIN_TEXT, { use: 'answer' }, 'A 2.1', 'Identifier of the record.'),
      uri: field(PLAIN_TEXT, { use: 'answer' }, 'A 2.1', 'URI of the record.'),
    },
  },
  EndpointBackend: {
    doc: 'The backend that serves the endpoint.',
    source: 'A 2.8',
    fields: {
      enabled: ENABLED,
      backend_id: field(
        referenceTo(BACKEND_KINDS, 242, 6501),
        { use: 'request', required: 6501 },
        'B 1.3',
        'Identifier of the backend.',
      ),
      backend: field(shape('Ref'), { use: 'answer', from: 'backend_id' }, 'A 2.8', 'The backend.'),
    },
  },
  EndpointIPPolicy: {
    doc: 'The IP policies that decide whether a source address may reach the endpoint.',
    source: 'A 2.8, 4.9',
    fields: {
      enabled: ENABLED,
      ip_policy_ids: field(
        list(referenceTo(['ip_policy'], 229, 7007), {
          min: { limit: 1, code: 7025 },
          max: { limit: LIMITS.ipPolicies, code: 7013 },
        }),
        { use: 'request', required: 7025 },
        'A 4.9',
        'Identifiers of the IP policies to check source addresses against.',
      ),
      ip_policies: field(
        list(shape('Ref')),
        { use: 'answer', from: 'ip_policy_ids' },
        'A 2.8',
        'The IP policies, in the order sent.',
      ),
    },
  },
  EndpointMutualTLS: {
    doc: 'The certificate authorities that verify client certificates.',
    source: 'A 2.3, 2.4',
    fields: {
      enabled: ENABLED,
      certificate_authority_ids: field(
        list(referenceTo(['certificate_authority'], 228, 7072), {
          max: { limit: LIMITS.certificateAuthorities, code: 7075 },
        }),
        { use: 'request', default: [] },
        'A 2.4',
        'Identifiers of the certificate authorities.',
      ),
      certificate_authorities: field(
        list(shape('Ref')),
        { use: 'answer', from: 'certificate_authority_ids' },
        'A 2.3',
        'The certificate authorities.',
      ),
    },
  },
  EndpointTLSTermination: {
    doc: 'Where TLS is terminated, and the minimum version.',
    source: 'A 2.5',
    fields: {
      enabled: ENABLED,
      terminate_at: field(
        oneOf(['edge', 'upstream'], 224),
        { default: 'upstream' },
        'A 2.5, B 1.5',
        '`edge`: the service terminates TLS; `upstream`: it passes TLS through.',
      ),
      min_version: MIN_VERSION,
    },
    rules: [
      {
        kind: 'refused-when',
        field: 'min_version',
        other: 'terminate_at',
        values: ['upstream'],
        unlessGiven: 'upstream',
        code: 7032,
      },
    ],
  },
  EndpointTLSTerminationAtEdge: {
    doc: 'The minimum TLS version of the service.',
    source: 'A 2.6',
    fields: {
      enabled: ENABLED,
      terminate_at: field(PLAIN_TEXT, { use: 'answer', default: 'edge' }, 'A 2.5', 'Always `edge`.'),
      min_version: MIN_VERSION,
    },
    refused: { terminate_at: 7109 },
  },
  EndpointPolicy: {
    doc: 'A traffic policy.',
    source: 'A 2.13',
    fields: {
      enabled: ENABLED,
      inbound: field(
        list(shape('EndpointRule')),
        { nullable: true },
        'A 2.13',
        'Rules for inbound traffic; null if none.',
      ),
      outbound: field(
        list(shape('EndpointRule')),
        { nullable: true },
        'A 2.13, 4.8',
        'Rules for outbound traffic; null if none.',
      ),
    },
  },
  EndpointRule: {
    doc: 'A rule of a traffic policy.',
    source: 'A 2.13',
    fields: {
      name: field(PLAIN_TEXT, { default: '' }, 'A 2.13', 'Name of the rule.'),
      expressions: field(
        list(PLAIN_TEXT),
        { default: [] },
        'A 2.13',
        'CEL expressions that must all be true for the rule to match.',
      ),
      actions: field(
        list(shape('EndpointAction'), { min: { limit: 1, code: 2206 } }),
        { required: 2206 },
        'A 2.13, B 2.6',
        'Actions of the rule, in order.',
      ),
    },
  },
  EndpointAction: {
    doc: 'An action of a rule.',
    source: 'A 2.13',
    fields: {
      type: field(PLAIN_TEXT, { required: 2201 }, 'A 2.13', 'Type of the action.'),
      config: field(
        JSON_OBJECT,
        { nullable: true },
        'A 2.13, 4.8',
        'Configuration of the action, stored as sent; null if it has none.',
      ),
    },
  },
  EndpointTrafficPolicy: {
    doc: 'A traffic policy as a string, the newer form of the same module.',
    source: 'B 1.2',
    fields: {
      enabled: ENABLED,
      value: field(
        text({ maxBytes: { limit: LIMITS.policyBytes, code: 2236 } }),
        { required: 2236 },
        'B 1.2',
        'The policy as YAML or JSON.',
      ),
    },
  },
} as const satisfies Record<string, Shape>;

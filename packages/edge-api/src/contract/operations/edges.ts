import { collection, moduleOperations, records } from '../../definition/operation.ts';

const HTTPS = '/edges/https/{id}';
const ROUTE = '/edges/https/{edge_id}/routes/{id}';
const TLS = '/edges/tls/{id}';
const TCP = '/edges/tcp/{id}';

function edgeModule<const N extends string, const F extends string, const S extends string, const R extends string = S>(
  name: N,
  field: F,
  answer: S,
  request?: R,
) {
  const shapes = { answer, request: (request ?? answer) as R } as const;
  return moduleOperations(name, { path: `${HTTPS}/${field}`, record: 'https_edge', field, ...shapes });
}

function routeModule<const N extends string, const F extends string, const S extends string>(
  name: N,
  field: F,
  shape: S,
) {
  const facts = { path: `${ROUTE}/${field}`, record: 'https_edge_route', field } as const;
  return moduleOperations(`EdgeRoute${name}`, { ...facts, request: shape, answer: shape });
}

function tlsModule<const N extends string, const F extends string, const S extends string>(
  name: N,
  field: F,
  shape: S,
) {
  const facts = { path: `${TLS}/${field}`, record: 'tls_edge', field } as const;
  return moduleOperations(`TlsEdge${name}`, { ...facts, request: shape, answer: shape });
}

function tcpModule<const N extends string, const F extends string, const S extends string>(
  name: N,
  field: F,
  shape: S,
) {
  const facts = { path: `${TCP}/${field}`, record: 'tcp_edge', field } as const;
  return moduleOperations(`TcpEdge${name}`, { ...facts, request: shape, answer: shape });
}

/** The operations of edges, routes and their modules. */
export const EDGE_OPERATIONS = {
  ...collection('EdgesHttps', {
    path: '/edges/https',
    shape: 'HTTPSEdge',
    record: 'https_edge',
    listKey: 'https_edges',
  }),
  ...edgeModule('HttpsEdgeMutualTls', 'mutual_tls', 'EndpointMutualTLS'),
  ...edgeModule('HttpsEdgeTlsTermination', 'tls_termination', 'EndpointTLSTermination', 'EndpointTLSTerminationAtEdge'),
  ...records('EdgesHttpsRoutes', {
    path: '/edges/https/{edge_id}/routes',
    shape: 'HTTPSEdgeRoute',
    record: 'https_edge_route',
  }),
  ...routeModule('Backend', 'backend', 'EndpointBackend'),
  ...routeModule('IpRestriction', 'ip_restriction', 'EndpointIPPolicy'),
  ...routeModule('RequestHeaders', 'request_headers', 'EndpointRequestHeaders'),
  ...routeModule('ResponseHeaders', 'response_headers', 'EndpointResponseHeaders'),
  ...routeModule('Compression', 'compression', 'EndpointCompression'),
  ...routeModule('CircuitBreaker', 'circuit_breaker', 'EndpointCircuitBreaker'),
  ...routeModule('WebhookVerification', 'webhook_verification', 'EndpointWebhookValidation'),
  ...routeModule('OAuth', 'oauth', 'EndpointOAuth'),
  ...routeModule('Saml', 'saml', 'EndpointSAML'),
  ...routeModule('Oidc', 'oidc', 'EndpointOIDC'),
  ...routeModule('WebsocketTcpConverter', 'websocket_tcp_converter', 'EndpointWebsocketTCPConverter'),
  ...routeModule('UserAgentFilter', 'user_agent_filter', 'EndpointUserAgentFilter'),
  ...routeModule('Policy', 'policy', 'EndpointPolicy'),
  ...routeModule('TrafficPolicy', 'traffic_policy', 'EndpointTrafficPolicy'),
  ...collection('EdgesTls', {
    path: '/edges/tls',
    shape: 'TLSEdge',
    record: 'tls_edge',
    listKey: 'tls_edges',
  }),
  ...tlsModule('Backend', 'backend', 'EndpointBackend'),
  ...tlsModule('IpRestriction', 'ip_restriction', 'EndpointIPPolicy'),
  ...tlsModule('MutualTls', 'mutual_tls', 'EndpointMutualTLS'),
  ...tlsModule('TlsTermination', 'tls_termination', 'EndpointTLSTermination'),
  ...tlsModule('Policy', 'policy', 'EndpointPolicy'),
  ...tlsModule('TrafficPolicy', 'traffic_policy', 'EndpointTrafficPolicy'),
  ...collection('EdgesTcp', {
    path: '/edges/tcp',
    shape: 'TCPEdge',
    record: 'tcp_edge',
    listKey: 'tcp_edges',
  }),
  ...tcpModule('Backend', 'backend', 'EndpointBackend'),
  ...tcpModule('IpRestriction', 'ip_restriction', 'EndpointIPPolicy'),
  ...tcpModule('Policy', 'policy', 'EndpointPolicy'),
  ...tcpModule('TrafficPolicy', 'traffic_policy', 'EndpointTrafficPolicy'),
} as const;

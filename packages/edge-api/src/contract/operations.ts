// Every operation of the API by id.

import { collection, moduleOperations, type Operation, records } from '../definition/operation.ts';

/** The id of an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** Returns the operation with this id. */
export function operationOf(id: OperationId): Operation {
  return OPERATIONS[id];
}

/** The operations of part A, section 4.1. All others are from part B. */
export const PART_A_OPERATIONS = [
  'EdgesHttpsCreate',
  'EdgesHttpsGet',
  'EdgesHttpsList',
  'EdgesHttpsUpdate',
  'EdgeRouteWebhookVerificationModuleReplace',
  'EdgeRouteWebhookVerificationModuleGet',
  'EdgeRouteWebhookVerificationModuleDelete',
  'EdgeRoutePolicyModuleReplace',
  'EdgeRoutePolicyModuleGet',
  'EdgeRoutePolicyModuleDelete',
  'TlsEdgePolicyModuleReplace',
  'TlsEdgePolicyModuleGet',
  'TlsEdgePolicyModuleDelete',
  'TcpEdgePolicyModuleReplace',
  'TcpEdgePolicyModuleGet',
  'TcpEdgePolicyModuleDelete',
  'TlsEdgeIpRestrictionModuleReplace',
  'TlsEdgeIpRestrictionModuleGet',
  'FailoverBackendsCreate',
  'FailoverBackendsDelete',
  'EventSourcesCreate',
  'EventSourcesDelete',
] as const satisfies readonly OperationId[];

const IN_PART_A: ReadonlySet<OperationId> = new Set(PART_A_OPERATIONS);

/** Returns the part and section of the contract that define an operation. */
export function sourceOf(id: OperationId): string {
  return IN_PART_A.has(id) ? 'A 4' : 'B 1.2';
}

/** The operations that part A, section 9, marks as unstable. */
export const UNSTABLE_OPERATIONS = [
  'EdgeRoutePolicyModuleReplace',
  'EdgeRoutePolicyModuleGet',
  'EdgeRoutePolicyModuleDelete',
  'TlsEdgePolicyModuleReplace',
  'TlsEdgePolicyModuleGet',
  'TlsEdgePolicyModuleDelete',
  'TcpEdgePolicyModuleReplace',
  'TcpEdgePolicyModuleGet',
  'TcpEdgePolicyModuleDelete',
] as const satisfies readonly OperationId[];

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
const EDGE_OPERATIONS = {
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

const SOURCES = '/event_subscriptions/{subscription_id}/sources';
const SOURCE = `${SOURCES}/{type}` as const;
const DOMAIN = '/reserved_domains/{id}';

const BACKENDS = {
  ...collection('FailoverBackends', {
    path: '/backends/failover',
    shape: 'FailoverBackend',
    record: 'failover_backend',
    listKey: 'backends',
  }),
  ...collection('HttpResponseBackends', {
    path: '/backends/http_response',
    shape: 'HTTPResponseBackend',
    record: 'http_response_backend',
    listKey: 'backends',
  }),
  ...collection('StaticBackends', {
    path: '/backends/static',
    shape: 'StaticBackend',
    record: 'static_backend',
    listKey: 'backends',
  }),
  ...collection('TunnelGroupBackends', {
    path: '/backends/tunnel_group',
    shape: 'TunnelGroupBackend',
    record: 'tunnel_group_backend',
    listKey: 'backends',
  }),
  ...collection('WeightedBackends', {
    path: '/backends/weighted',
    shape: 'WeightedBackend',
    record: 'weighted_backend',
    listKey: 'backends',
  }),
} as const;

const COLLECTIONS = {
  ...collection('IpPolicies', {
    path: '/ip_policies',
    shape: 'IPPolicy',
    record: 'ip_policy',
    listKey: 'ip_policies',
  }),
  ...collection('IpPolicyRules', {
    path: '/ip_policy_rules',
    shape: 'IPPolicyRule',
    record: 'ip_policy_rule',
    listKey: 'ip_policy_rules',
  }),
  ...collection('IpRestrictions', {
    path: '/ip_restrictions',
    shape: 'IPRestriction',
    record: 'ip_restriction',
    listKey: 'ip_restrictions',
  }),
  ...collection('CertificateAuthorities', {
    path: '/certificate_authorities',
    shape: 'CertificateAuthority',
    record: 'certificate_authority',
    listKey: 'certificate_authorities',
  }),
  ...collection('EventDestinations', {
    path: '/event_destinations',
    shape: 'EventDestination',
    record: 'event_destination',
    listKey: 'event_destinations',
  }),
  ...collection('EventSubscriptions', {
    path: '/event_subscriptions',
    shape: 'EventSubscription',
    record: 'event_subscription',
    listKey: 'event_subscriptions',
  }),
  ...collection('ApiKeys', {
    path: '/api_keys',
    shape: 'APIKey',
    record: 'api_key',
    listKey: 'keys',
  }),
  ...collection('Endpoints', {
    path: '/endpoints',
    shape: 'Endpoint',
    record: 'endpoint',
    listKey: 'endpoints',
    query: ['ids', 'urls'],
  }),
  ...collection('ReservedAddrs', {
    path: '/reserved_addrs',
    shape: 'ReservedAddr',
    record: 'reserved_addr',
    listKey: 'reserved_addrs',
  }),
  ...collection('ReservedDomains', {
    path: '/reserved_domains',
    shape: 'ReservedDomain',
    record: 'reserved_domain',
    listKey: 'reserved_domains',
  }),
} as const;

/** An event source has its type for an identifier, and its list has no pages. */
const EVENT_SOURCES = {
  EventSourcesCreate: {
    kind: 'create',
    verb: 'POST',
    path: SOURCES,
    success: 201,
    record: 'event_source',
    request: 'EventSource',
    answer: 'EventSource',
  },
  EventSourcesList: {
    kind: 'list',
    verb: 'GET',
    path: SOURCES,
    success: 200,
    record: 'event_source',
    request: null,
    answer: 'EventSource',
    listKey: 'sources',
    paged: false,
  },
  EventSourcesGet: {
    kind: 'get',
    verb: 'GET',
    path: SOURCE,
    success: 200,
    record: 'event_source',
    request: null,
    answer: 'EventSource',
  },
  EventSourcesUpdate: {
    kind: 'update',
    verb: 'PATCH',
    path: SOURCE,
    success: 200,
    record: 'event_source',
    request: 'EventSource',
    answer: 'EventSource',
  },
  EventSourcesDelete: {
    kind: 'delete',
    verb: 'DELETE',
    path: SOURCE,
    success: 204,
    record: 'event_source',
    request: null,
    answer: null,
  },
} as const satisfies Record<string, Operation>;

const DOMAIN_CERTIFICATES = {
  ReservedDomainsDeleteCertificate: {
    kind: 'delete-module',
    verb: 'DELETE',
    path: `${DOMAIN}/certificate`,
    success: 204,
    record: 'reserved_domain',
    field: 'certificate_id',
    request: null,
    answer: null,
  },
  ReservedDomainsDeleteCertificateManagementPolicy: {
    kind: 'delete-module',
    verb: 'DELETE',
    path: `${DOMAIN}/certificate_management_policy`,
    success: 204,
    record: 'reserved_domain',
    field: 'certificate_management_policy',
    request: null,
    answer: null,
  },
} as const satisfies Record<string, Operation>;

/** The operations of everything except edges. */
const OTHER_OPERATIONS = { ...BACKENDS, ...COLLECTIONS, ...EVENT_SOURCES, ...DOMAIN_CERTIFICATES } as const;

/** Every operation of the API, by id. */
export const OPERATIONS = { ...EDGE_OPERATIONS, ...OTHER_OPERATIONS } as const;

/** The id of every operation. */
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

import { collection, type Operation } from '../operation.ts';

const SOURCES = '/event_subscriptions/{subscription_id}/sources';
const SOURCE = `${SOURCES}/{type}` as const;
const DOMAIN = '/reserved_domains/{id}';

const BACKENDS = {
  ...collection('FailoverBackends', {
    path: '/backends/failover',
    shape: 'FailoverBackend',
    record: 'failover_backend',
    listKey: 'backends',
    source: 'A 4.10',
  }),
  ...collection('HttpResponseBackends', {
    path: '/backends/http_response',
    shape: 'HTTPResponseBackend',
    record: 'http_response_backend',
    listKey: 'backends',
    source: 'B 1.2',
  }),
  ...collection('StaticBackends', {
    path: '/backends/static',
    shape: 'StaticBackend',
    record: 'static_backend',
    listKey: 'backends',
    source: 'B 1.2',
  }),
  ...collection('TunnelGroupBackends', {
    path: '/backends/tunnel_group',
    shape: 'TunnelGroupBackend',
    record: 'tunnel_group_backend',
    listKey: 'backends',
    source: 'B 1.2',
  }),
  ...collection('WeightedBackends', {
    path: '/backends/weighted',
    shape: 'WeightedBackend',
    record: 'weighted_backend',
    listKey: 'backends',
    source: 'B 1.2',
  }),
} as const;

const COLLECTIONS = {
  ...collection('IpPolicies', {
    path: '/ip_policies',
    shape: 'IPPolicy',
    record: 'ip_policy',
    listKey: 'ip_policies',
    source: 'B 1.2',
  }),
  ...collection('IpPolicyRules', {
    path: '/ip_policy_rules',
    shape: 'IPPolicyRule',
    record: 'ip_policy_rule',
    listKey: 'ip_policy_rules',
    source: 'B 1.2',
  }),
  ...collection('IpRestrictions', {
    path: '/ip_restrictions',
    shape: 'IPRestriction',
    record: 'ip_restriction',
    listKey: 'ip_restrictions',
    source: 'B 1.2',
  }),
  ...collection('CertificateAuthorities', {
    path: '/certificate_authorities',
    shape: 'CertificateAuthority',
    record: 'certificate_authority',
    listKey: 'certificate_authorities',
    source: 'B 1.2',
  }),
  ...collection('EventDestinations', {
    path: '/event_destinations',
    shape: 'EventDestination',
    record: 'event_destination',
    listKey: 'event_destinations',
    source: 'B 1.2',
  }),
  ...collection('EventSubscriptions', {
    path: '/event_subscriptions',
    shape: 'EventSubscription',
    record: 'event_subscription',
    listKey: 'event_subscriptions',
    source: 'B 1.2',
  }),
  ...collection('ApiKeys', {
    path: '/api_keys',
    shape: 'APIKey',
    record: 'api_key',
    listKey: 'keys',
    source: 'B 1.2',
  }),
  ...collection('Endpoints', {
    path: '/endpoints',
    shape: 'Endpoint',
    record: 'endpoint',
    listKey: 'endpoints',
    query: ['ids', 'urls'],
    source: 'B 1.2',
  }),
  ...collection('ReservedAddrs', {
    path: '/reserved_addrs',
    shape: 'ReservedAddr',
    record: 'reserved_addr',
    listKey: 'reserved_addrs',
    source: 'B 1.2',
  }),
  ...collection('ReservedDomains', {
    path: '/reserved_domains',
    shape: 'ReservedDomain',
    record: 'reserved_domain',
    listKey: 'reserved_domains',
    source: 'B 1.2',
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
    source: 'A 4.12',
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
    source: 'B 1.2',
  },
  EventSourcesGet: {
    kind: 'get',
    verb: 'GET',
    path: SOURCE,
    success: 200,
    record: 'event_source',
    request: null,
    answer: 'EventSource',
    source: 'B 1.2',
  },
  EventSourcesUpdate: {
    kind: 'update',
    verb: 'PATCH',
    path: SOURCE,
    success: 200,
    record: 'event_source',
    request: 'EventSource',
    answer: 'EventSource',
    source: 'B 1.2',
  },
  EventSourcesDelete: {
    kind: 'delete',
    verb: 'DELETE',
    path: SOURCE,
    success: 204,
    record: 'event_source',
    request: null,
    answer: null,
    source: 'A 4.13',
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
    source: 'B 1.2',
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
    source: 'B 1.2',
  },
} as const satisfies Record<string, Operation>;

/** The operations of what edges refer to, and of everything beside them. */
export const OTHER_OPERATIONS = { ...BACKENDS, ...COLLECTIONS, ...EVENT_SOURCES, ...DOMAIN_CERTIFICATES } as const;

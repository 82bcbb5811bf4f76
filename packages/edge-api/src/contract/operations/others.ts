import { collection, type Operation } from '../../definition/operation.ts';

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
export const OTHER_OPERATIONS = { ...BACKENDS, ...COLLECTIONS, ...EVENT_SOURCES, ...DOMAIN_CERTIFICATES } as const;

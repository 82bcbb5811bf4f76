/** A kind of record: the prefix of its identifiers and its path. */
export interface RecordKind {
  /** Identifiers are `<prefix>_<27 characters of a KSUID>`. */
  readonly prefix: string;
  /** The path of a record; null if the API has no resource for it. */
  readonly path: string | null;
  /** The name in messages. */
  readonly noun: string;
}

/** Every record kind, from part B, sections 1.7 and 1.8. */
export const RECORD_KINDS = {
  https_edge: { prefix: 'edghts', path: '/edges/https/{id}', noun: 'HTTPS edge' },
  https_edge_route: { prefix: 'edghtsrt', path: '/edges/https/{edge_id}/routes/{id}', noun: 'HTTPS edge route' },
  tls_edge: { prefix: 'edgtls', path: '/edges/tls/{id}', noun: 'TLS edge' },
  tcp_edge: { prefix: 'edgtcp', path: '/edges/tcp/{id}', noun: 'TCP edge' },
  failover_backend: { prefix: 'bkdfo', path: '/backends/failover/{id}', noun: 'failover backend' },
  http_response_backend: { prefix: 'bkdhr', path: '/backends/http_response/{id}', noun: 'HTTP response backend' },
  static_backend: { prefix: 'bkdsc', path: '/backends/static/{id}', noun: 'static backend' },
  tunnel_group_backend: { prefix: 'bkdtg', path: '/backends/tunnel_group/{id}', noun: 'tunnel group backend' },
  weighted_backend: { prefix: 'bkdwd', path: '/backends/weighted/{id}', noun: 'weighted backend' },
  ip_policy: { prefix: 'ipp', path: '/ip_policies/{id}', noun: 'IP policy' },
  ip_policy_rule: { prefix: 'ipr', path: '/ip_policy_rules/{id}', noun: 'IP policy rule' },
  ip_restriction: { prefix: 'ipx', path: '/ip_restrictions/{id}', noun: 'IP restriction' },
  certificate_authority: { prefix: 'ca', path: '/certificate_authorities/{id}', noun: 'certificate authority' },
  event_destination: { prefix: 'ed', path: '/event_destinations/{id}', noun: 'event destination' },
  event_subscription: { prefix: 'esb', path: '/event_subscriptions/{id}', noun: 'event subscription' },
  api_key: { prefix: 'ak', path: '/api_keys/{id}', noun: 'API key' },
  endpoint: { prefix: 'ep', path: '/endpoints/{id}', noun: 'endpoint' },
  reserved_addr: { prefix: 'ra', path: '/reserved_addrs/{id}', noun: 'reserved address' },
  reserved_domain: { prefix: 'rd', path: '/reserved_domains/{id}', noun: 'reserved domain' },
  tls_certificate: { prefix: 'cert', path: null, noun: 'TLS certificate' },
  tunnel: { prefix: 'tn', path: null, noun: 'tunnel' },
  tunnel_session: { prefix: 'ts', path: null, noun: 'tunnel session' },
  event: { prefix: 'ev', path: null, noun: 'event' },
  user: { prefix: 'usr', path: null, noun: 'user' },
  bot: { prefix: 'bot', path: null, noun: 'bot' },
  account: { prefix: 'ac', path: null, noun: 'account' },
  operation: { prefix: 'op', path: null, noun: 'operation' },
} as const satisfies Record<string, RecordKind>;

/** The name of a record kind. */
export type RecordKindName = keyof typeof RECORD_KINDS;

/** The kinds of backends that modules and other backends may refer to. */
export const BACKEND_KINDS = [
  'failover_backend',
  'http_response_backend',
  'static_backend',
  'tunnel_group_backend',
  'weighted_backend',
] as const satisfies readonly RecordKindName[];

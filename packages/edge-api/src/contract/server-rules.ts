// Rules over more than one record, which only a server with its store can check.

import type { RecordKindName } from '../definition/operation.ts';
import { LIMITS } from '../definition/wire.ts';
import type { ErrorNumber } from './errors.ts';

/** A rule over more than one record, which the server checks against its store. */
export interface ServerRule {
  readonly id: string;
  readonly code: ErrorNumber;
  /** The record kinds whose changes can violate the rule. */
  readonly records: readonly RecordKindName[];
  /** The setting that enables the rule; always enabled if absent. */
  readonly setting?: 'reservations';
  readonly doc: string;
  readonly source: string;
}

/** The rules between records, in the order in which they are checked. */
export const SERVER_RULES = [
  {
    id: 'reference-exists',
    code: 223,
    records: [],
    doc: 'Every reference is to an existing record; each field has its own error.',
    source: 'B 1.5',
  },
  {
    id: 'route-of-edge',
    code: 7110,
    records: ['https_edge_route'],
    doc: 'A route can be accessed only through its own edge.',
    source: 'B 2.5',
  },
  {
    id: 'hostport-unused',
    code: 7122,
    records: ['https_edge', 'tls_edge', 'tcp_edge'],
    doc: 'A hostport belongs to only one edge.',
    source: 'B 1.5',
  },
  {
    id: 'domain-reserved',
    code: 7117,
    records: ['https_edge', 'tls_edge'],
    setting: 'reservations',
    doc: 'The domain of a hostport is reserved, directly or by a wildcard.',
    source: 'B 1.5',
  },
  {
    id: 'domain-port',
    code: 7116,
    records: ['https_edge', 'tls_edge'],
    setting: 'reservations',
    doc: 'The port of a domain is 443.',
    source: 'B 1.5',
  },
  {
    id: 'address-reserved',
    code: 7114,
    records: ['tcp_edge'],
    setting: 'reservations',
    doc: 'The hostport of a TCP edge is a reserved address.',
    source: 'B 1.5',
  },
  {
    id: 'route-match-unused',
    code: 7126,
    records: ['https_edge_route'],
    doc: 'No two routes of an edge have the same match and match type.',
    source: 'B 1.5',
  },
  {
    id: 'routes-bounded',
    code: 7128,
    records: ['https_edge_route'],
    doc: `An edge has at most ${LIMITS.routes} routes, so that its answer is bounded.`,
    source: 'B 1.5',
  },
  {
    id: 'one-sign-on-module',
    code: 7079,
    records: ['https_edge_route'],
    doc: 'At most one of OAuth, OIDC and SAML is enabled on a route.',
    source: 'B 1.5',
  },
  {
    id: 'one-sign-on-route',
    code: 7155,
    records: ['https_edge_route'],
    doc: 'At most one route of an edge signs users on.',
    source: 'B 1.5',
  },
  {
    id: 'sign-on-needs-path',
    code: 7134,
    records: ['https_edge_route'],
    doc: 'A route that signs users on matches a path.',
    source: 'B 1.5',
  },
  {
    id: 'mutual-tls-needs-termination',
    code: 1694,
    records: ['tls_edge'],
    doc: 'Mutual TLS requires TLS to be terminated at the edge; no other module of TLS edges does.',
    source: 'A 2.5, B 1.5',
  },
  {
    id: 'cidr-unused',
    code: 1408,
    records: ['ip_policy_rule'],
    doc: 'No two rules of an IP policy have the same range.',
    source: 'B 1.5',
  },
  {
    id: 'cidrs-bounded',
    code: 1411,
    records: ['ip_policy_rule'],
    doc: `An IP policy has at most ${LIMITS.rulesOfIpPolicy} rules.`,
    source: 'B 1.5',
  },
  {
    id: 'source-unused',
    code: 5127,
    records: ['event_subscription'],
    doc: 'A subscription has each source only once.',
    source: 'B 1.5',
  },
  {
    id: 'target-kind-kept',
    code: 5108,
    records: ['event_destination'],
    doc: 'The kind of a target cannot be changed.',
    source: 'B 1.5',
  },
  {
    id: 'domain-unused',
    code: 414,
    records: ['reserved_domain'],
    doc: 'A domain is reserved only once.',
    source: 'B 2.5',
  },
  {
    id: 'policy-is-valid',
    code: 9026,
    records: ['https_edge_route', 'tls_edge', 'tcp_edge', 'endpoint'],
    doc: 'A traffic policy has no errors; each kind of error has its own number from 2200 to 2265.',
    source: 'A 2.13, B 2.6',
  },
] as const satisfies readonly ServerRule[];

/** Record kinds that cannot be deleted while others refer to them, with their errors (part B 2.5). */
export const KEPT_WHILE_REFERRED_TO: Readonly<Partial<Record<RecordKindName, ErrorNumber>>> = {
  failover_backend: 6502,
  http_response_backend: 6502,
  static_backend: 6502,
  tunnel_group_backend: 6502,
  weighted_backend: 6502,
  ip_policy: 1420,
  certificate_authority: 7019,
  event_destination: 5112,
};

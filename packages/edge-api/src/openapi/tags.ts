import type { Operation } from '../definition/operation.ts';

/** Groups of operations in the documentation. */
export const TAGS = [
  { name: 'HTTPS edges', description: 'Edges for HTTPS traffic and their modules.' },
  { name: 'HTTPS edge routes', description: 'Routes of HTTPS edges and their modules.' },
  { name: 'TLS edges', description: 'Edges for TLS traffic and their modules.' },
  { name: 'TCP edges', description: 'Edges for TCP traffic and their modules.' },
  { name: 'Backends', description: 'Upstreams that receive traffic.' },
  { name: 'IP policies', description: 'Access control by source address.' },
  { name: 'Certificate authorities', description: 'Access control by client certificate.' },
  { name: 'Events', description: 'Notifications about changes and their destinations.' },
  { name: 'API keys', description: 'Credentials for this API.' },
  { name: 'Endpoints', description: 'URLs and what serves them.' },
  { name: 'Reservations', description: 'Domains and addresses reserved for edges.' },
] as const;

type Tag = (typeof TAGS)[number]['name'];

const TAG_OF: Readonly<Partial<Record<Operation['record'], Tag>>> = {
  https_edge: 'HTTPS edges',
  https_edge_route: 'HTTPS edge routes',
  tls_edge: 'TLS edges',
  tcp_edge: 'TCP edges',
  ip_policy: 'IP policies',
  ip_policy_rule: 'IP policies',
  ip_restriction: 'IP policies',
  certificate_authority: 'Certificate authorities',
  event_destination: 'Events',
  event_subscription: 'Events',
  event_source: 'Events',
  api_key: 'API keys',
  endpoint: 'Endpoints',
  reserved_addr: 'Reservations',
  reserved_domain: 'Reservations',
};

/** Returns the group of an operation. */
export function tagOf({ record }: Operation): Tag {
  return TAG_OF[record] ?? 'Backends';
}

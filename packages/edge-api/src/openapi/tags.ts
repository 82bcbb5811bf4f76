import type { Operation } from '../definition/operation.ts';

/** The groups that a reader finds operations in. */
export const TAGS = [
  { name: 'HTTPS edges', description: 'Edges for HTTPS traffic, and their modules.' },
  { name: 'HTTPS edge routes', description: 'Routes of HTTPS edges, and their modules.' },
  { name: 'TLS edges', description: 'Edges for TLS traffic, and their modules.' },
  { name: 'TCP edges', description: 'Edges for TCP traffic, and their modules.' },
  { name: 'Backends', description: 'What traffic is sent to.' },
  { name: 'IP policies', description: 'Who may come in, by address.' },
  { name: 'Certificate authorities', description: 'Who may come in, by client certificate.' },
  { name: 'Events', description: 'What is told about changes, and to whom.' },
  { name: 'API keys', description: 'Who may use this API.' },
  { name: 'Endpoints', description: 'What serves a URL.' },
  { name: 'Reservations', description: 'Domains and addresses that edges may serve.' },
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

/** The group of an operation. */
export function tagOf({ record }: Operation): Tag {
  return TAG_OF[record] ?? 'Backends';
}

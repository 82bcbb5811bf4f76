import type { Operation } from '../definition/operation.ts';
import type { RecordKindName } from '../definition/record-kinds.ts';

const CHANGES = ['created', 'updated', 'deleted'] as const;

/** What a change does to a record. */
export type Change = (typeof CHANGES)[number];

/** Objects whose changes part B, section 3.3, has event types for. */
export const EVENT_OBJECTS = [
  'api_key',
  'certificate_authority',
  'domain',
  'event_destination',
  'event_subscription',
  'ip_policy',
  'ip_policy_rule',
  'ip_restriction',
  'secret',
  'ssh_certificate_authority',
  'ssh_host_certificate',
  'ssh_public_key',
  'ssh_user_certificate',
  'tcp_address',
  'tls_certificate',
  'tunnel_credential',
  'vault',
] as const;

/** Objects that the family has no event types for: extensions of ours, named by the same rule. */
export const EXTENSION_EVENT_OBJECTS = [
  'https_edge',
  'https_edge_route',
  'tls_edge',
  'tcp_edge',
  'failover_backend',
  'http_response_backend',
  'static_backend',
  'tunnel_group_backend',
  'weighted_backend',
  'endpoint',
] as const;

/** Event types that are not of the form `<object>_<change>.v0`. */
export const OTHER_EVENT_TYPES = [
  'agent_session_start.v0',
  'agent_session_stop.v0',
  'http_request_complete.v0',
  'tcp_connection_closed.v0',
  'log.v0',
] as const;

/** Every event type that a subscription may name. */
export const EVENT_TYPES: readonly string[] = [
  ...[...EVENT_OBJECTS, ...EXTENSION_EVENT_OBJECTS].flatMap(object => CHANGES.map(change => `${object}_${change}.v0`)),
  ...OTHER_EVENT_TYPES,
];

/** The object that events call a kind of record by, where it is not the kind's own name. */
const OBJECT_OF_RECORD: Partial<Record<RecordKindName, string>> = {
  reserved_addr: 'tcp_address',
  reserved_domain: 'domain',
};

const CHANGE_OF_KIND: Partial<Record<Operation['kind'], Change>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  'replace-module': 'updated',
  'delete-module': 'updated',
};

/** The type of the event that an operation emits; undefined for one that changes nothing. */
export function eventTypeOf({ kind, record }: Pick<Operation, 'kind' | 'record'>): string | undefined {
  const change = CHANGE_OF_KIND[kind];
  if (change === undefined) return undefined;
  // A subscription is changed by a change of its sources (part B 3.4).
  if (record === 'event_source') return kind === 'update' ? undefined : 'event_subscription_updated.v0';
  return `${OBJECT_OF_RECORD[record] ?? record}_${change}.v0`;
}

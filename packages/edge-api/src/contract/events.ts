import type { Operation } from '../definition/operation.ts';
import type { RecordKindName } from '../definition/record-kinds.ts';

const CHANGES = ['created', 'updated', 'deleted'] as const;

/** A kind of change to a record. */
export type Change = (typeof CHANGES)[number];

/** Objects with event types in part B, section 3.3. */
const EVENT_OBJECTS = [
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

/** Objects without event types in the contract. Their event types are an extension that follows the same naming rule. */
const EXTENSION_EVENT_OBJECTS = [
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

/** Event types that do not have the form `<object>_<change>.v0`. */
const OTHER_EVENT_TYPES = [
  'agent_session_start.v0',
  'agent_session_stop.v0',
  'http_request_complete.v0',
  'tcp_connection_closed.v0',
  'log.v0',
] as const;

/** Every event type that can be subscribed to. */
export const EVENT_TYPES: readonly string[] = [
  ...[...EVENT_OBJECTS, ...EXTENSION_EVENT_OBJECTS].flatMap(object => CHANGES.map(change => `${object}_${change}.v0`)),
  ...OTHER_EVENT_TYPES,
];

/** Object names in event types that differ from the record kind. */
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

/** Returns the type of the event that an operation emits; undefined for operations that change nothing. */
export function eventTypeOf({ kind, record }: Pick<Operation, 'kind' | 'record'>): string | undefined {
  const change = CHANGE_OF_KIND[kind];
  if (change === undefined) return undefined;
  // Changing the sources of a subscription updates the subscription (part B 3.4).
  if (record === 'event_source') return kind === 'update' ? undefined : 'event_subscription_updated.v0';
  return `${OBJECT_OF_RECORD[record] ?? record}_${change}.v0`;
}

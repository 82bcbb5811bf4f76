import type { Generated } from 'kysely';

/** The tables of both databases after the newest migration. */
export interface Tables {
  readonly meta: MetaTable;
  readonly records: RecordTable;
  readonly refs: RefTable;
  readonly claims: ClaimTable;
  readonly event_sources: EventSourceTable;
  readonly deliveries: DeliveryTable;
  readonly answers: AnswerTable;
  readonly changes: ChangeTable;
}

/** Properties of the database itself. */
interface MetaTable {
  readonly key: string;
  readonly value: string;
}

/** Everything with an API identifier. */
interface RecordTable {
  readonly id: string;
  readonly kind: string;
  /** The record is deleted with its parent. */
  readonly parent_id: string | null;
  /** JSON with encrypted secrets. */
  readonly body: string;
  readonly revision: number;
  /** RFC 3339, with whole seconds. */
  readonly created_at: string;
}

/** A reference, which prevents the deletion of its target. */
interface RefTable {
  readonly from_id: string;
  readonly to_id: string;
}

/** A value that is unique within a scope. */
interface ClaimTable {
  readonly scope: string;
  readonly value: string;
  readonly record_id: string;
}

/** The event types of a subscription. */
interface EventSourceTable {
  readonly type: string;
  readonly subscription_id: string;
}

/** An event that its destination has not confirmed. */
interface DeliveryTable {
  /** Increasing; for each resource in the order of its changes. */
  readonly seq: Generated<number>;
  readonly event_id: string;
  readonly event_type: string;
  readonly resource_id: string;
  readonly destination_id: string;
  readonly body: string;
  readonly attempts: number;
  /**
   * The earliest time of the next attempt, which is the end of the lease during an attempt, in milliseconds since 1970. Null for dead letters,
   * and while an earlier delivery of the resource to the destination is pending.
   */
  readonly ready_at: number | null;
  /** The time at which the delivery became a dead letter. */
  readonly dead_at: number | null;
  readonly last_error: string | null;
}

/** The answer to a creation, by the key that the client chose for it. */
interface AnswerTable {
  /** Contains the API key's identifier. */
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number;
  /** Encrypted JSON. */
  readonly body: string;
  readonly revision: number | null;
  /** Milliseconds since 1970. */
  readonly kept_at: number;
}

/** What was changed, by whom and from where. */
interface ChangeTable {
  readonly seq: Generated<number>;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly operation: string;
  readonly request_id: string | null;
  readonly resource_id: string;
  readonly key_id: string | null;
  readonly address: string | null;
  /** A JSON object without secrets. */
  readonly detail: string;
}

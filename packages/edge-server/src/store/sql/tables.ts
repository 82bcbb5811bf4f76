import type { Generated } from 'kysely';

/** The tables of both databases, as the newest migration leaves them. */
export interface Tables {
  readonly meta: MetaTable;
  readonly records: RecordTable;
  readonly refs: RefTable;
  readonly claims: ClaimTable;
  readonly event_sources: EventSourceTable;
  readonly deliveries: DeliveryTable;
}

/** Facts about the database itself. */
interface MetaTable {
  readonly key: string;
  readonly value: string;
}

/** Everything that the API has an identifier for. */
interface RecordTable {
  readonly id: string;
  readonly kind: string;
  /** Goes when its parent goes. */
  readonly parent_id: string | null;
  /** JSON in stored form: secrets are sealed. */
  readonly body: string;
  readonly revision: number;
  /** RFC 3339, whole seconds. */
  readonly created_at: string;
}

/** A record that names another, which therefore stays. */
interface RefTable {
  readonly from_id: string;
  readonly to_id: string;
}

/** A value that one record of a scope may have. */
interface ClaimTable {
  readonly scope: string;
  readonly value: string;
  readonly record_id: string;
}

/** The event types that a subscription is for. */
interface EventSourceTable {
  readonly type: string;
  readonly subscription_id: string;
}

/** An event that a destination has not confirmed. */
interface DeliveryTable {
  /** Grows; for one resource in the order of its changes. */
  readonly seq: Generated<number>;
  readonly event_id: string;
  readonly event_type: string;
  readonly resource_id: string;
  readonly destination_id: string;
  readonly body: string;
  readonly attempts: number;
  /** Not tried before, in milliseconds since 1970. */
  readonly due_at: number;
  /** Taken by a dispatcher until then. */
  readonly leased_until: number;
  /** Given up then: a dead letter. */
  readonly dead_at: number | null;
  readonly last_error: string | null;
}

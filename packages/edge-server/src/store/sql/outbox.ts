import type { Kysely } from 'kysely';
import type { DeadLetter, Delivery, Outbox } from '../port/store.ts';
import type { DeliveryRow, OutboxQueries } from './outbox-queries.ts';
import type { Tables } from './tables.ts';

/** The database access of the outbox. */
export interface OutboxSession {
  readonly queries: OutboxQueries;
  readonly reading: Kysely<Tables>;
  /** Runs work in its own transaction. */
  readonly write: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
}

/** Returns the outbox of a session. */
export function createOutbox({ queries, reading, write }: OutboxSession): Outbox {
  return {
    lease: async request => {
      const rows = await write(db => queries.lease.run(db, request));
      return rows.map(toDelivery).sort((a, b) => a.seq - b.seq);
    },
    delivered: async seq => {
      await write(db => queries.delivered.run(db, { seq }));
    },
    failed: async ({ seq, error, now, retryAt }) => {
      const deadAt = retryAt === undefined ? now : null;
      await write(db => queries.failed.run(db, { seq, error, dueAt: retryAt ?? now, deadAt }));
    },
    nextDue: async () => (await queries.nextDue.first(reading, {}))?.due_at,
    pending: async () => (await queries.pending.first(reading, {}))?.count ?? 0,
    deadLetters: async limit => (await queries.deadLetters.run(reading, { limit })).map(toDeadLetter),
    requeue: async (now, seq) => {
      const rows = await write(db =>
        seq === undefined ? queries.requeueAll.run(db, { now }) : queries.requeue.run(db, { now, seq }),
      );
      return rows.length;
    },
    trim: async keep => (await write(db => queries.trim.run(db, { keep }))).length,
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    seq: row.seq,
    eventId: row.event_id,
    eventType: row.event_type,
    resourceId: row.resource_id,
    destinationId: row.destination_id,
    body: row.body,
    attempts: row.attempts,
  };
}

function toDeadLetter(row: DeliveryRow): DeadLetter {
  return { ...toDelivery(row), deadAt: row.dead_at ?? 0, lastError: row.last_error ?? '' };
}

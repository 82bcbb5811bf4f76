import type { Kysely } from 'kysely';
import type { DeadLetter, Delivery, DeliveryFailure, Outbox } from '../port/store.ts';
import type { DeliveryRow, OutboxQueries } from './outbox-queries.ts';
import type { Tables } from './tables.ts';

/** The database access of the outbox. */
interface OutboxSession {
  readonly queries: OutboxQueries;
  readonly reading: Kysely<Tables>;
  /** Runs work in its own transaction. */
  readonly write: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
}

/** Returns the outbox of a session. */
export function createOutbox({ queries, reading, write }: OutboxSession): Outbox {
  return {
    ready: async () => {
      const rows = await queries.ready.run(reading, {});
      return rows.map(row => ({ destinationId: row.destination_id, readyAt: row.ready_at }));
    },
    lease: async request => {
      const rows = await write(db => queries.lease.run(db, request));
      return rows.map(toDelivery).sort((a, b) => a.seq - b.seq);
    },
    delivered: async (seq, readyAt) => {
      const next = await write(async db => {
        const row = await queries.delivered.first(db, { seq });
        return row && (await queries.promote.first(db, { ...streamOf(row), readyAt }));
      });
      return next && toDelivery(next);
    },
    failed: failure => write(db => fail(db, queries, failure)),
    pending: async () => (await queries.pending.first(reading, {}))?.count ?? 0,
    dead: async () => (await queries.dead.first(reading, {}))?.count ?? 0,
    deadLetters: async limit => (await queries.deadLetters.run(reading, { limit })).map(toDeadLetter),
    requeue: (now, seq) =>
      write(async db => {
        const rows = await (seq === undefined ? queries.requeueAll.run(db, {}) : queries.requeue.run(db, { seq }));
        await queries.promoteAll.run(db, { now });
        return rows.length;
      }),
    trim: async keep => (await write(db => queries.trim.run(db, { keep }))).length,
  };
}

async function fail(
  db: Kysely<Tables>,
  queries: OutboxQueries,
  { seq, error, now, retryAt }: DeliveryFailure,
): Promise<void> {
  const isDead = retryAt === undefined;
  const change = { seq, error, readyAt: retryAt ?? null, deadAt: isDead ? now : null };
  const row = await queries.failed.first(db, change);
  if (row && isDead) await queries.promote.run(db, { ...streamOf(row), readyAt: now });
}

function streamOf(row: { readonly destination_id: string; readonly resource_id: string }) {
  return { destinationId: row.destination_id, resourceId: row.resource_id };
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

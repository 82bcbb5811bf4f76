// Events that wait for delivery.

import { type Kysely, type RawBuilder, sql } from 'kysely';
import { Prepared, slot } from './prepared.ts';
import type { Tables } from './schema.ts';
import type { DeadLetter, Delivery, DeliveryFailure, Outbox } from './store.ts';

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

/** A row of a delivery. */
interface DeliveryRow {
  readonly seq: number;
  readonly event_id: string;
  readonly event_type: string;
  readonly resource_id: string;
  readonly destination_id: string;
  readonly body: string;
  readonly attempts: number;
  readonly dead_at: number | null;
  readonly last_error: string | null;
}

interface NewDelivery {
  readonly eventId: string;
  readonly type: string;
  readonly resourceId: string;
  readonly destinationId: string;
  readonly body: string;
}

interface BySeq {
  readonly seq: number;
}

/** The events of a resource for a destination, which are delivered one after the other. */
interface Stream {
  readonly destinationId: string;
  readonly resourceId: string;
}

/** The prepared queries on events. */
export type OutboxQueries = ReturnType<typeof prepareOutboxQueries>;

const COLUMNS = [
  'seq',
  'event_id',
  'event_type',
  'resource_id',
  'destination_id',
  'body',
  'attempts',
  'dead_at',
  'last_error',
] as const;

/** Prepares all queries on events. None reads more rows than it returns, except for counts and requeueing. */
export function prepareOutboxQueries(db: Kysely<Tables>, { rowLocks }: { readonly rowLocks: boolean }) {
  return {
    ...prepareSources(db),
    ...preparePublishing(db, rowLocks),
    ...prepareLease(db, rowLocks),
    ...prepareOutcomes(db),
    ...prepareDeadLetters(db),
  };
}

function prepareSources(db: Kysely<Tables>) {
  return {
    destinations: new Prepared<{ readonly type: string }, { to_id: string }>(
      db
        .selectFrom('event_sources')
        .innerJoin('refs', 'refs.from_id', 'event_sources.subscription_id')
        .select('refs.to_id')
        .distinct()
        .where('event_sources.type', '=', slot<string>('type'))
        .orderBy('refs.to_id'),
    ),
    dropSources: new Prepared<{ readonly id: string }, unknown>(
      db.deleteFrom('event_sources').where('subscription_id', '=', slot<string>('id')),
    ),
    addSource: new Prepared<{ readonly id: string; readonly type: string }, unknown>(
      db.insertInto('event_sources').values({ type: slot<string>('type'), subscription_id: slot<string>('id') }),
    ),
  };
}

function preparePublishing(db: Kysely<Tables>, rowLocks: boolean) {
  const first = oldest(db).select('seq');
  return {
    /**
     * Finds out whether an event has to wait for an earlier one, which stays until the transaction ends: whoever confirms it afterwards sees
     * the new event.
     */
    waitsFor: new Prepared<Stream, BySeq>(rowLocks ? first.forShare() : first),
    add: new Prepared<NewDelivery & { readonly readyAt: number | null }, unknown>(
      db.insertInto('deliveries').values({
        event_id: slot<string>('eventId'),
        event_type: slot<string>('type'),
        resource_id: slot<string>('resourceId'),
        destination_id: slot<string>('destinationId'),
        body: slot<string>('body'),
        attempts: 0,
        ready_at: slot<number | null>('readyAt'),
        dead_at: null,
        last_error: null,
      }),
    ),
  };
}

/** The oldest delivery of a stream that is not dead. */
function oldest(db: Kysely<Tables>) {
  return db
    .selectFrom('deliveries')
    .where('destination_id', '=', slot<string>('destinationId'))
    .where('resource_id', '=', slot<string>('resourceId'))
    .where('dead_at', 'is', null)
    .orderBy('seq')
    .limit(1);
}

/** Jumps from one destination to the next; `distinct` would read all rows. */
const READY_DESTINATIONS: RawBuilder<{ destination_id: string; ready_at: number }> = sql`
  with recursive ready (id) as (
    select min(destination_id) from deliveries where ready_at is not null
    union all
    select (select min(destination_id) from deliveries where ready_at is not null and destination_id > ready.id)
    from ready where ready.id is not null
  )
  select ready.id as destination_id,
    (select min(ready_at) from deliveries where destination_id = ready.id and ready_at is not null) as ready_at
  from ready where ready.id is not null`;

function prepareLease(db: Kysely<Tables>, rowLocks: boolean) {
  const free = db
    .selectFrom('deliveries')
    .select('seq')
    .where('destination_id', '=', slot<string>('destinationId'))
    .where('ready_at', '<=', slot<number>('now'))
    .orderBy('ready_at')
    .orderBy('seq')
    .limit(slot<number>('limit'));
  return {
    lease: new Prepared<
      { readonly destinationId: string; readonly now: number; readonly until: number; readonly limit: number },
      DeliveryRow
    >(
      db
        .updateTable('deliveries')
        .set({ ready_at: slot<number>('until') })
        .where('seq', 'in', rowLocks ? free.forUpdate().skipLocked() : free)
        .returning(COLUMNS),
    ),
    ready: new Prepared<Record<never, never>, { destination_id: string; ready_at: number }>({
      compile: () => READY_DESTINATIONS.compile(db),
    }),
    pending: new Prepared<Record<never, never>, { count: number }>(
      db
        .selectFrom('deliveries')
        .select(sql<number>`cast(count(*) as integer)`.as('count'))
        .where('dead_at', 'is', null),
    ),
  };
}

function prepareOutcomes(db: Kysely<Tables>) {
  return {
    delivered: new Prepared<BySeq, { destination_id: string; resource_id: string }>(
      db.deleteFrom('deliveries').where('seq', '=', slot<number>('seq')).returning(['destination_id', 'resource_id']),
    ),
    failed: new Prepared<
      BySeq & { readonly error: string; readonly readyAt: number | null; readonly deadAt: number | null },
      { destination_id: string; resource_id: string }
    >(
      db
        .updateTable('deliveries')
        .set({
          attempts: sql<number>`attempts + 1`,
          ready_at: slot<number | null>('readyAt'),
          dead_at: slot<number | null>('deadAt'),
          last_error: slot<string>('error'),
        })
        .where('seq', '=', slot<number>('seq'))
        .returning(['destination_id', 'resource_id']),
    ),
    /** Makes the oldest delivery of a stream ready, unless it is. */
    promote: new Prepared<Stream & { readonly readyAt: number }, DeliveryRow>(
      db
        .updateTable('deliveries')
        .set({ ready_at: slot<number>('readyAt') })
        .where('seq', '=', oldest(db).select('seq'))
        .where('ready_at', 'is', null)
        .returning(COLUMNS),
    ),
    promoteAll: new Prepared<{ readonly now: number }, unknown>(
      db
        .updateTable('deliveries')
        .set({ ready_at: slot<number>('now') })
        .where('dead_at', 'is', null)
        .where('ready_at', 'is', null)
        .where(IS_OLDEST),
    ),
  };
}

const IS_OLDEST = sql<boolean>`not exists (
  select 1 from deliveries as earlier
  where earlier.destination_id = deliveries.destination_id and earlier.resource_id = deliveries.resource_id
    and earlier.seq < deliveries.seq and earlier.dead_at is null)`;

function prepareDeadLetters(db: Kysely<Tables>) {
  const revive = db
    .updateTable('deliveries')
    .set({ dead_at: null, attempts: 0, ready_at: null })
    .where('dead_at', 'is not', null)
    .returning('seq');
  const newest = db
    .selectFrom('deliveries')
    .select('seq')
    .where('dead_at', 'is not', null)
    .orderBy('dead_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(slot<number>('keep'));
  return {
    deadLetters: new Prepared<{ readonly limit: number }, DeliveryRow>(
      db
        .selectFrom('deliveries')
        .select(COLUMNS)
        .where('dead_at', 'is not', null)
        .orderBy('seq')
        .limit(slot<number>('limit')),
    ),
    dead: new Prepared<Record<never, never>, { count: number }>(
      db
        .selectFrom('deliveries')
        .select(sql<number>`cast(count(*) as integer)`.as('count'))
        .where('dead_at', 'is not', null),
    ),
    requeueAll: new Prepared<Record<never, never>, BySeq>(revive),
    requeue: new Prepared<BySeq, BySeq>(revive.where('seq', '=', slot<number>('seq'))),
    trim: new Prepared<{ readonly keep: number }, { seq: number }>(
      db.deleteFrom('deliveries').where('dead_at', 'is not', null).where('seq', 'not in', newest).returning('seq'),
    ),
  };
}

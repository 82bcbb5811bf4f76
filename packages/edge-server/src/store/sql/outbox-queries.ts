import { type Kysely, sql } from 'kysely';
import { Prepared, slot } from './prepared.ts';
import type { Tables } from './tables.ts';

/** A row of a delivery. */
export interface DeliveryRow {
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
  readonly dueAt: number;
}

interface BySeq {
  readonly seq: number;
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

/** Prepares all queries on events. */
export function prepareOutboxQueries(db: Kysely<Tables>, { rowLocks }: { readonly rowLocks: boolean }) {
  return {
    ...prepareSources(db),
    ...prepareLease(db, rowLocks),
    ...prepareDeadLetters(db),
    delivered: new Prepared<BySeq, unknown>(db.deleteFrom('deliveries').where('seq', '=', slot<number>('seq'))),
    failed: new Prepared<
      BySeq & { readonly error: string; readonly dueAt: number; readonly deadAt: number | null },
      unknown
    >(
      db
        .updateTable('deliveries')
        .set({
          attempts: sql<number>`attempts + 1`,
          due_at: slot<number>('dueAt'),
          leased_until: 0,
          dead_at: slot<number | null>('deadAt'),
          last_error: slot<string>('error'),
        })
        .where('seq', '=', slot<number>('seq')),
    ),
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
        .where('event_sources.type', '=', slot<string>('type')),
    ),
    dropSources: new Prepared<{ readonly id: string }, unknown>(
      db.deleteFrom('event_sources').where('subscription_id', '=', slot<string>('id')),
    ),
    addSource: new Prepared<{ readonly id: string; readonly type: string }, unknown>(
      db.insertInto('event_sources').values({ type: slot<string>('type'), subscription_id: slot<string>('id') }),
    ),
    add: new Prepared<NewDelivery, unknown>(
      db.insertInto('deliveries').values({
        event_id: slot<string>('eventId'),
        event_type: slot<string>('type'),
        resource_id: slot<string>('resourceId'),
        destination_id: slot<string>('destinationId'),
        body: slot<string>('body'),
        attempts: 0,
        due_at: slot<number>('dueAt'),
        leased_until: 0,
        dead_at: null,
        last_error: null,
      }),
    ),
  };
}

/** Selects the oldest pending delivery per destination and resource. */
const IS_HEAD = sql<boolean>`not exists (
  select 1 from deliveries as earlier
  where earlier.destination_id = deliveries.destination_id and earlier.resource_id = deliveries.resource_id
    and earlier.seq < deliveries.seq and earlier.dead_at is null)`;

function prepareLease(db: Kysely<Tables>, rowLocks: boolean) {
  const free = db
    .selectFrom('deliveries')
    .select('seq')
    .where('dead_at', 'is', null)
    .where('due_at', '<=', slot<number>('now'))
    .where('leased_until', '<=', slot<number>('now'))
    .where(IS_HEAD)
    .orderBy('seq')
    .limit(slot<number>('limit'));
  return {
    lease: new Prepared<{ readonly now: number; readonly until: number; readonly limit: number }, DeliveryRow>(
      db
        .updateTable('deliveries')
        .set({ leased_until: slot<number>('until') })
        .where('seq', 'in', rowLocks ? free.forUpdate().skipLocked() : free)
        .returning(COLUMNS),
    ),
    nextDue: new Prepared<Record<never, never>, { due_at: number }>(
      db
        .selectFrom('deliveries')
        .select(sql<number>`case when due_at > leased_until then due_at else leased_until end`.as('due_at'))
        .where('dead_at', 'is', null)
        .where(IS_HEAD)
        .orderBy(sql`1`)
        .limit(1),
    ),
    pending: new Prepared<Record<never, never>, { count: number }>(
      db
        .selectFrom('deliveries')
        .select(sql<number>`cast(count(*) as integer)`.as('count'))
        .where('dead_at', 'is', null),
    ),
  };
}

function prepareDeadLetters(db: Kysely<Tables>) {
  const alive = { dead_at: null, attempts: 0, due_at: slot<number>('now'), leased_until: 0 };
  const revive = db.updateTable('deliveries').set(alive).where('dead_at', 'is not', null).returning('seq');
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
    requeueAll: new Prepared<{ readonly now: number }, { seq: number }>(revive),
    requeue: new Prepared<BySeq & { readonly now: number }, { seq: number }>(
      revive.where('seq', '=', slot<number>('seq')),
    ),
    trim: new Prepared<{ readonly keep: number }, { seq: number }>(
      db.deleteFrom('deliveries').where('dead_at', 'is not', null).where('seq', 'not in', newest).returning('seq'),
    ),
  };
}

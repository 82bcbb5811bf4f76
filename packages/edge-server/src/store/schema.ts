// The tables of a database, and their migrations.

import { ExternalError } from '@tollgate/diagnostics';
import { type Generated, type Kysely, type RawBuilder, sql } from 'kysely';
import { createKsuidSource } from './ksuid.ts';

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

/** Column types that differ between the databases. */
interface Flavour {
  readonly name: 'sqlite' | 'postgres';
  /** Strings that sort by code point, which `before_id` relies on. */
  readonly key: RawBuilder<unknown>;
  /** An auto-incremented number. */
  readonly serial: RawBuilder<unknown>;
  /** Milliseconds since 1970. */
  readonly time: RawBuilder<unknown>;
}

export const SQLITE_FLAVOUR: Flavour = {
  name: 'sqlite',
  key: sql`text`,
  serial: sql`integer`,
  time: sql`integer`,
};

export const POSTGRES_FLAVOUR: Flavour = {
  name: 'postgres',
  key: sql`text collate "C"`,
  serial: sql`bigserial`,
  time: sql`bigint`,
};

/** A migration from one schema version to the next. It must not use table types, which describe the newest schema. */
type Migration = (db: Kysely<Tables>, flavour: Flavour) => Promise<void>;

/** All migrations. The schema version is the number of migrations applied. Released migrations never change. */
const MIGRATIONS: readonly Migration[] = [createRecords, orderDeliveries, createAnswers, createChanges];

async function createRecords(db: Kysely<Tables>, flavour: Flavour): Promise<void> {
  const { key } = flavour;
  await db.schema
    .createTable('records')
    .addColumn('id', key, column => column.primaryKey().notNull())
    .addColumn('kind', key, column => column.notNull())
    .addColumn('parent_id', key, column => column.references('records.id').onDelete('cascade'))
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('revision', 'integer', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute();
  await db.schema.createIndex('records_by_kind').on('records').columns(['kind', 'id']).execute();
  await db.schema.createIndex('records_by_parent').on('records').columns(['parent_id', 'id']).execute();
  await db.schema
    .createTable('refs')
    .addColumn('from_id', key, column => column.notNull().references('records.id').onDelete('cascade'))
    .addColumn('to_id', key, column => column.notNull().references('records.id').onDelete('restrict'))
    .addPrimaryKeyConstraint('refs_pk', ['from_id', 'to_id'])
    .execute();
  await db.schema.createIndex('refs_by_target').on('refs').column('to_id').execute();
  await db.schema
    .createTable('claims')
    .addColumn('scope', key, column => column.notNull())
    .addColumn('value', key, column => column.notNull())
    .addColumn('record_id', key, column => column.notNull().references('records.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('claims_pk', ['scope', 'value'])
    .execute();
  await db.schema.createIndex('claims_by_record').on('claims').column('record_id').execute();
  await createEvents(db, flavour);
}

async function createEvents(db: Kysely<Tables>, { key, serial, time, name }: Flavour): Promise<void> {
  await db.schema
    .createTable('event_sources')
    .addColumn('type', key, column => column.notNull())
    .addColumn('subscription_id', key, column => column.notNull().references('records.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('event_sources_pk', ['type', 'subscription_id'])
    .execute();
  await db.schema.createIndex('event_sources_by_subscription').on('event_sources').column('subscription_id').execute();
  await db.schema
    .createTable('deliveries')
    .addColumn('seq', serial, column => (name === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey()))
    .addColumn('event_id', key, column => column.notNull())
    .addColumn('event_type', key, column => column.notNull())
    .addColumn('resource_id', key, column => column.notNull())
    .addColumn('destination_id', key, column => column.notNull().references('records.id').onDelete('cascade'))
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('due_at', time, column => column.notNull())
    .addColumn('leased_until', time, column => column.notNull())
    .addColumn('dead_at', time)
    .addColumn('last_error', 'text')
    .execute();
  await db.schema
    .createIndex('deliveries_in_order')
    .on('deliveries')
    .columns(['destination_id', 'resource_id', 'seq'])
    .execute();
  await db.schema.createIndex('deliveries_due').on('deliveries').columns(['dead_at', 'due_at']).execute();
}

/** Marks the deliveries that may be attempted, so that finding them does not take longer the more there are. */
async function orderDeliveries(db: Kysely<Tables>, { time }: Flavour): Promise<void> {
  await db.schema.alterTable('deliveries').addColumn('ready_at', time).execute();
  await sql`update deliveries set ready_at = case when due_at > leased_until then due_at else leased_until end
    where dead_at is null and not exists (
      select 1 from deliveries as earlier
      where earlier.destination_id = deliveries.destination_id and earlier.resource_id = deliveries.resource_id
        and earlier.seq < deliveries.seq and earlier.dead_at is null)`.execute(db);
  await db.schema.dropIndex('deliveries_due').execute();
  await db.schema.alterTable('deliveries').dropColumn('due_at').execute();
  await db.schema.alterTable('deliveries').dropColumn('leased_until').execute();
  await sql`create index deliveries_ready on deliveries (destination_id, ready_at, seq) where ready_at is not null`.execute(
    db,
  );
  await sql`create index deliveries_alive on deliveries (destination_id, resource_id, seq) where dead_at is null`.execute(
    db,
  );
  await sql`create index deliveries_dead on deliveries (dead_at, seq) where dead_at is not null`.execute(db);
}

async function createAnswers(db: Kysely<Tables>, { key, time }: Flavour): Promise<void> {
  await db.schema
    .createTable('answers')
    .addColumn('key', key, column => column.primaryKey().notNull())
    .addColumn('fingerprint', key, column => column.notNull())
    .addColumn('status', 'integer', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('revision', 'integer')
    .addColumn('kept_at', time, column => column.notNull())
    .execute();
  await db.schema.createIndex('answers_by_age').on('answers').column('kept_at').execute();
}

async function createChanges(db: Kysely<Tables>, { key, serial, time, name }: Flavour): Promise<void> {
  await db.schema
    .createTable('changes')
    .addColumn('seq', serial, column => (name === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey()))
    .addColumn('at', time, column => column.notNull())
    .addColumn('operation', key, column => column.notNull())
    .addColumn('request_id', key)
    .addColumn('resource_id', key, column => column.notNull())
    .addColumn('key_id', key)
    .addColumn('address', key)
    .addColumn('detail', 'text', column => column.notNull())
    .execute();
  await db.schema.createIndex('changes_by_age').on('changes').column('at').execute();
}

/**
 * Migrates the schema to the newest version, within a transaction that excludes other processes. Returns the permanent identity of the
 * database.
 *
 * @throws ExternalError `store/newer-version`
 */
export async function migrate(db: Kysely<Tables>, flavour: Flavour): Promise<string> {
  await db.schema
    .createTable('meta')
    .ifNotExists()
    .addColumn('key', flavour.key, column => column.primaryKey().notNull())
    .addColumn('value', 'text', column => column.notNull())
    .execute();
  const version = Number((await metaValue(db, 'schema')) ?? 0);
  if (version > MIGRATIONS.length) {
    throw new ExternalError(
      'store/newer-version',
      `the database was created by a newer version of Tollgate: found schema ${version}, expected at most ${MIGRATIONS.length}; upgrade Tollgate`,
    );
  }
  if (version < MIGRATIONS.length) {
    for (const step of MIGRATIONS.slice(version)) await step(db, flavour);
    await setMetaValue(db, 'schema', String(MIGRATIONS.length));
  }
  const known = await metaValue(db, 'identity');
  if (known !== undefined) return known;
  const identity = createKsuidSource()();
  await setMetaValue(db, 'identity', identity);
  return identity;
}

/** Returns a property of the database. */
export async function metaValue(db: Kysely<Tables>, key: string): Promise<string | undefined> {
  return (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value;
}

/** Sets a property of the database. */
export async function setMetaValue(db: Kysely<Tables>, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}

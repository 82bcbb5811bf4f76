// The store over PostgreSQL, which several processes may share.

import { ExternalError } from '@tollgate/diagnostics';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { createChangeLog, prepareAnswerQueries, prepareChangeQueries } from './change-log.ts';
import { containsText, latestAnswer, readContents, touch } from './contents.ts';
import { createOutbox, prepareOutboxQueries } from './outbox.ts';
import { createRecordReader, createRecordWriter, fillEmpty, prepareRecordQueries } from './records.ts';
import { metaValue, migrate, POSTGRES_FLAVOUR, setMetaValue, type Tables } from './schema.ts';
import { type Store, StoreConflict } from './store.ts';

/** An arbitrary number that nothing else locks in the database. */
const MIGRATION_LOCK = 7_316_025_511;
/** The longest time to connect to the database, in milliseconds. */
const CONNECTION_TIMEOUT = 5_000;
/** The longest time that work waits for one of the connections, in milliseconds: shorter than the default time for a request. */
const POOL_TIMEOUT = 25_000;
/** `deadlock_detected` and `serialization_failure`: the work must run again. */
const AGAIN = new Set(['40P01', '40001']);
const MAX_TRIES = 5;
/** `unique_violation` and `foreign_key_violation`. */
const UNIQUE = '23505';
const FOREIGN_KEY = '23503';
const INT8 = 20;
/** Small, because each probe leaves a dead row. */
const PROBE_BYTES = 32;

/**
 * Connects to a PostgreSQL database, which several processes may share.
 *
 * @throws ExternalError `store/unavailable` or `store/newer-version`
 */
export async function openPostgresStore(url: string, now: () => number = Date.now): Promise<Store> {
  const { db, pool } = connect(url);
  try {
    const identity = await reached(url, () =>
      db.transaction().execute(async transaction => {
        await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
        return await migrate(transaction, POSTGRES_FLAVOUR);
      }),
    );
    return assemble({ url, identity, db, pool, now });
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function connect(url: string): { readonly db: Kysely<Tables>; readonly pool: pg.Pool } {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    // Work that waits for a busy pool is not work on a database that is gone.
    connectionTimeoutMillis: POOL_TIMEOUT,
    Client: ConnectingClient,
    application_name: 'tollgate',
    types: { getTypeParser: (id, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)) },
  });
  // Ignore the loss of an idle connection; the next use reports it.
  pool.on('error', () => undefined);
  // The pool does not listen to connections in use. One that breaks between two queries fails the next query, and is then replaced.
  pool.on('connect', client => client.on('error', () => undefined));
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
}

/** The pool passes its own timeout on to its clients. */
class ConnectingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECTION_TIMEOUT });
  }
}

interface Parts {
  readonly url: string;
  readonly identity: string;
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  readonly now: () => number;
}

function assemble({ url, identity, db, pool, now }: Parts): Store {
  const queries = prepareRecordQueries(db, { rowLocks: true });
  const outbox = prepareOutboxQueries(db, { rowLocks: true });
  const answers = prepareAnswerQueries(db);
  const changes = prepareChangeQueries(db);
  const writing = <T>(work: (db: Kysely<Tables>) => Promise<T>) => repeated(() => transact(db, work));
  return {
    ...createRecordReader({ db, queries }),
    write: work =>
      repeated(() =>
        transact(db, transaction =>
          work(createRecordWriter({ db: transaction, queries, outbox, answers, changes, now })),
        ),
      ),
    outbox: createOutbox({ queries: outbox, reading: db, write: writing }),
    changes: createChangeLog({ queries: changes, reading: db, write: writing }),
    stamp: () => undefined,
    contents: () => db.transaction().setIsolationLevel('repeatable read').execute(readContents),
    fill: contents => repeated(() => transact(db, transaction => fillEmpty(transaction, contents))),
    backup: () => {
      const message =
        'cannot back up a PostgreSQL database; use its own tools, such as `pg_dump`, or export the configuration';
      return Promise.reject(new ExternalError('store/no-backup', message));
    },
    check: async () => {
      await reached(url, () => transact(db, transaction => touch(transaction, PROBE_BYTES)));
    },
    latestAnswer: () => latestAnswer(db),
    property: name => metaValue(db, name),
    setProperty: (name, value) => writing(transaction => setMetaValue(transaction, name, value)),
    contains: text => containsText(db, text),
    load: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    identity,
    description: `PostgreSQL database ${withoutPassword(url)}`,
    close: () => db.destroy(),
  };
}

async function transact<T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return await db.transaction().execute(work);
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries < MAX_TRIES && AGAIN.has(codeOf(error))) continue;
      throw conflictOf(error) ?? error;
    }
  }
}

/** Errors caused by another transaction between a check and a write; checking again finds the conflict. */
function conflictOf(error: unknown): StoreConflict | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const [, value = ''] = /\)=\((.*)\)/.exec(error.detail ?? '') ?? [];
  if (error.code === UNIQUE && error.table === 'claims') {
    const [scope = '', ...rest] = value.split(', ');
    return new StoreConflict({ kind: 'claim-taken', claim: { scope, value: rest.join(', ') }, by: undefined });
  }
  if (error.code !== FOREIGN_KEY) return undefined;
  return error.detail?.includes('still referenced')
    ? new StoreConflict({ kind: 'still-referenced', id: value, by: [] })
    : new StoreConflict({ kind: 'no-such-record', ids: [value] });
}

async function reached<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ExternalError) throw cause;
    throw new ExternalError(
      'store/unavailable',
      `cannot reach the database ${withoutPassword(url)}: ${reasonOf(cause)}`,
      {
        cause,
      },
    );
  }
}

/** An AggregateError has an empty message. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

function withoutPassword(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : 'of the given URL';
}

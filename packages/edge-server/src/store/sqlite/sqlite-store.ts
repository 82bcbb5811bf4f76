import { closeSync, openSync } from 'node:fs';
import { ExternalError } from '@tollgate/diagnostics';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { Store } from '../port/store.ts';
import { prepareAnswerQueries } from '../sql/answer-queries.ts';
import { createChangeLog, prepareChangeQueries } from '../sql/change-log.ts';
import { containsText, latestAnswer, readContents } from '../sql/contents.ts';
import { fillEmpty } from '../sql/fill-empty.ts';
import { metaValue, migrate, setMetaValue } from '../sql/migrate.ts';
import { SQLITE_FLAVOUR } from '../sql/migrations.ts';
import { createOutbox } from '../sql/outbox.ts';
import { prepareOutboxQueries } from '../sql/outbox-queries.ts';
import { prepareRecordQueries } from '../sql/queries.ts';
import { createRecordReader } from '../sql/record-reader.ts';
import { createRecordWriter } from '../sql/record-writer.ts';
import type { Tables } from '../sql/tables.ts';
import { touch } from '../sql/touch.ts';
import { inTransaction } from '../sql/transaction.ts';
import { backUp } from './back-up.ts';
import { createWriteQueue } from './group-commit.ts';
import { openSqlite } from './sqlite-database.ts';
import { createStamp, type Stamp } from './stamp.ts';

/** More than a page, like a record with a policy. */
const PROBE_BYTES = 8192;

/**
 * Opens an SQLite file, which is created if it does not exist. Reads have their own connection, so that they see only committed data.
 *
 * @throws ExternalError `store/unavailable`, `store/not-a-database` or `store/newer-version`
 */
export async function openSqliteStore(path: string, now: () => number = Date.now): Promise<Store> {
  makePrivateFile(path);
  const writing = await opened(path, () => connect(path));
  try {
    const identity = await opened(path, () => inTransaction(writing, db => migrate(db, SQLITE_FLAVOUR)));
    await sql`pragma busy_timeout = 0`.execute(writing);
    const database = openSqlite(path, { readOnly: true });
    const reading = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
    return assemble({ path, identity, writing, reading, now, stamp: createStamp(database) });
  } catch (error) {
    await writing.destroy();
    throw error;
  }
}

interface Parts {
  readonly path: string;
  readonly identity: string;
  readonly writing: Kysely<Tables>;
  readonly reading: Kysely<Tables>;
  readonly now: () => number;
  readonly stamp: Stamp;
}

function assemble({ path, identity, writing, reading, now, stamp }: Parts): Store {
  const queries = prepareRecordQueries(reading, { rowLocks: false });
  const outbox = prepareOutboxQueries(reading, { rowLocks: false });
  const answers = prepareAnswerQueries(reading);
  const changes = prepareChangeQueries(reading);
  const { write, load } = createWriteQueue(writing, stamp.changed);
  return {
    ...createRecordReader({ db: reading, queries }),
    write: work => write(db => work(createRecordWriter({ db, queries, outbox, answers, changes, now }))),
    stamp: stamp.current,
    contents: () => reading.transaction().execute(readContents),
    fill: async contents => {
      await inTransaction(writing, db => fillEmpty(db, contents));
      stamp.changed();
    },
    backup: target => backUp(path, target),
    outbox: createOutbox({ queries: outbox, reading, write }),
    changes: createChangeLog({ queries: changes, reading, write }),
    check: async () => {
      await opened(path, () => sql`select 1`.execute(reading));
      await opened(path, () => write(db => touch(db, PROBE_BYTES)));
    },
    latestAnswer: () => latestAnswer(reading),
    property: name => metaValue(reading, name),
    setProperty: (name, value) => write(transaction => setMetaValue(transaction, name, value)),
    contains: text => containsText(reading, text),
    load,
    identity,
    description: `SQLite file ${path}`,
    close: async () => {
      await reading.destroy();
      await writing.destroy();
    },
  };
}

async function connect(path: string): Promise<Kysely<Tables>> {
  const database = openSqlite(path, { readOnly: false });
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}

/** Only the owner may read the configuration. */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (cause) {
    throw unavailable(path, cause);
  }
}

async function opened<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ExternalError) throw cause;
    throw unavailable(path, cause);
  }
}

function unavailable(path: string, cause: unknown): ExternalError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/not a database|malformed/.test(reason)) {
    return new ExternalError('store/not-a-database', `\`${path}\` is not a Tollgate database`, { cause });
  }
  return new ExternalError('store/unavailable', `cannot open the database \`${path}\`: ${reason}`, { cause });
}

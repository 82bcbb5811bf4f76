// The store over SQLite: writes are committed in groups.

import { closeSync, openSync, rmSync } from 'node:fs';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ExternalError, writeProblem } from '@tollgate/diagnostics';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import { beginTurn } from '../thread-pool.ts';
import { createChangeLog, prepareAnswerQueries, prepareChangeQueries } from './change-log.ts';
import { containsText, latestAnswer, readContents, touch } from './contents.ts';
import { createOutbox, prepareOutboxQueries } from './outbox.ts';
import { inTransaction } from './prepared.ts';
import { createRecordReader, createRecordWriter, fillEmpty, prepareRecordQueries } from './records.ts';
import { metaValue, migrate, SQLITE_FLAVOUR, setMetaValue, type Tables } from './schema.ts';
import { FOREIGN_CHANGE_DELAY, type Store, type StoreLoad } from './store.ts';

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
  const reason = writeProblem(cause);
  if (/not a database|malformed/.test(reason)) {
    return new ExternalError('store/not-a-database', `\`${path}\` is not a Tollgate database`, { cause });
  }
  return new ExternalError('store/unavailable', `cannot open the database \`${path}\`: ${reason}`, { cause });
}

/** The maximum time that a process waits for another one's transaction, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
/** There are few distinct queries, except for lists of identifiers. */
const MAX_STATEMENTS = 200;

/** How a database file is opened. */
interface SqliteOptions {
  readonly readOnly: boolean;
}

/** Opens a file with Node's SQLite as a Kysely database that compiles each statement once. */
export function openSqlite(path: string, { readOnly }: SqliteOptions): SqliteDatabase {
  const database = new DatabaseSync(path, { readOnly, enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT });
  if (!readOnly) {
    database.exec('pragma journal_mode = wal');
    // Sync the log at every commit, so that acknowledged writes survive a power failure.
    database.exec('pragma synchronous = full');
  }
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: text => {
      const known = statements.get(text);
      if (known) return known;
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      const made = adapt(database.prepare(text));
      statements.set(text, made);
      return made;
    },
  };
}

function adapt(statement: StatementSync): SqliteStatement {
  const bound = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...bound(parameters)),
    run: parameters => statement.run(...bound(parameters)),
    iterate: parameters => statement.iterate(...bound(parameters)),
  };
}

/** The maximum number of jobs per commit, so that the first job does not wait too long. */
const LARGEST_GROUP = 64;

/** Runs a job as if in its own transaction: durable when its promise resolves, rolled back when it rejects. */
export type WriteQueue = <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;

/** A queue, and how many jobs run or wait. */
interface LoadedQueue {
  readonly write: WriteQueue;
  readonly load: () => StoreLoad;
}

interface Job {
  /** Runs the job and returns a function that resolves its promise after the commit. Throws what the job throws. */
  readonly run: (db: Kysely<Tables>) => Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/**
 * Creates a queue whose jobs share transactions. A commit blocks the process while it waits for the disk, so jobs that arrive in the
 * meantime are committed together. The jobs of a group see the writes of earlier ones and are committed together or not at all.
 */
export function createWriteQueue(db: Kysely<Tables>, committed: () => void): LoadedQueue {
  const waiting: Job[] = [];
  let isRunning = false;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await runGroup(db, waiting.splice(0, LARGEST_GROUP), committed);
    isRunning = false;
  };
  const write: WriteQueue = work =>
    new Promise((resolve, reject) => {
      const run = async (connection: Kysely<Tables>) => {
        const result = await work(connection);
        return () => resolve(result);
      };
      waiting.push({ run, fail: reject });
      if (isRunning) return;
      isRunning = true;
      // Deferred, so that all requests that have arrived join the group.
      setImmediate(() => void drain());
    });
  const load = () => ({ busy: Number(isRunning), idle: Number(!isRunning), waiting: waiting.length });
  return { write, load };
}

/** Never throws: every job receives its own result. */
async function runGroup(db: Kysely<Tables>, jobs: readonly Job[], committed: () => void): Promise<void> {
  try {
    const settled = await inTransaction(db, connection => runJobs(connection, jobs));
    committed();
    for (const settle of settled) settle();
  } catch (error) {
    for (const job of jobs) job.fail(error);
  }
}

/** A single job needs no savepoint. */
async function runJobs(db: Kysely<Tables>, jobs: readonly Job[]): Promise<readonly (() => void)[]> {
  const [only, ...others] = jobs;
  if (only && others.length === 0) return [await only.run(db)];
  const settled: (() => void)[] = [];
  // Queries of SQLite do not leave the event loop.
  const pause = beginTurn();
  for (const job of jobs) {
    settled.push(await runBeside(db, job));
    await pause();
  }
  return settled;
}

async function runBeside(db: Kysely<Tables>, job: Job): Promise<() => void> {
  await sql`savepoint job`.execute(db);
  try {
    const settle = await job.run(db);
    await sql`release job`.execute(db);
    return settle;
  } catch (error) {
    await sql`rollback to job`.execute(db);
    await sql`release job`.execute(db);
    return () => job.fail(error);
  }
}

/** Counts the changes of an SQLite file. */
interface Stamp {
  readonly current: () => number;
  /** Records a commit of this process. */
  readonly changed: () => void;
}

/** Checks the file only every {@link FOREIGN_CHANGE_DELAY}, because each check takes system calls. */
function createStamp(database: SqliteDatabase): Stamp {
  const statement = database.prepare('pragma data_version');
  const look = () => JSON.stringify(statement.all([]));
  let seen = look();
  let lookedAt = performance.now();
  let count = 0;
  return {
    current: () => {
      const time = performance.now();
      if (time - lookedAt < FOREIGN_CHANGE_DELAY) return count;
      lookedAt = time;
      const now = look();
      if (now !== seen) count += 1;
      seen = now;
      return count;
    },
    changed: () => {
      count += 1;
    },
  };
}

/** Copies an SQLite file, including its log, to a new file that only its owner can read, while other processes read and write. */
async function backUp(path: string, target: string): Promise<void> {
  makePrivate(target);
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    await backup(source, target);
  } catch (cause) {
    rmSync(target, { force: true });
    throw cannotWrite(target, cause);
  } finally {
    source.close();
  }
}

function makePrivate(target: string): void {
  try {
    closeSync(openSync(target, 'wx', 0o600));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
      throw new ExternalError('store/backup', `\`${target}\` already exists; choose another file name`);
    }
    throw cannotWrite(target, cause);
  }
}

function cannotWrite(target: string, cause: unknown): ExternalError {
  return new ExternalError('store/backup', `cannot write the backup \`${target}\`: ${writeProblem(cause)}`, { cause });
}

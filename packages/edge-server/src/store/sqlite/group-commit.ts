import { type Kysely, sql } from 'kysely';
import { beginTurn } from '../../threads/begin-turn.ts';
import type { StoreLoad } from '../port/store.ts';
import type { Tables } from '../sql/tables.ts';
import { inTransaction } from '../sql/transaction.ts';

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

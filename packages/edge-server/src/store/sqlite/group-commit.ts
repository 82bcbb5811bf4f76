import { type Kysely, sql } from 'kysely';
import type { Tables } from '../sql/tables.ts';
import { inTransaction } from '../sql/transaction.ts';

/** How many works share a commit at most, so that the first does not wait for all. */
const LARGEST_GROUP = 64;

/** Runs a work as if in a transaction of its own: what it did is durable when its promise is kept, and undone when it is broken. */
export type WriteQueue = <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;

interface Job {
  /** Gives what settles the caller's promise, once the group is committed. Throws what the work throws. */
  readonly run: (db: Kysely<Tables>) => Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/**
 * A queue whose works share transactions. A commit waits for the disk, and the whole process with it: whatever came meanwhile is
 * written together and waits once. Works of a group see what those before them did, and are committed together or not at all.
 */
export function createWriteQueue(db: Kysely<Tables>, committed: () => void): WriteQueue {
  const waiting: Job[] = [];
  let isRunning = false;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await runGroup(db, waiting.splice(0, LARGEST_GROUP), committed);
    isRunning = false;
  };
  return work =>
    new Promise((resolve, reject) => {
      const run = async (connection: Kysely<Tables>) => {
        const result = await work(connection);
        return () => resolve(result);
      };
      waiting.push({ run, fail: reject });
      if (isRunning) return;
      isRunning = true;
      // Not at once: the requests that have arrived are all read before, and come along.
      setImmediate(() => void drain());
    });
}

/** Never throws: every job learns by itself what became of it. */
async function runGroup(db: Kysely<Tables>, jobs: readonly Job[], committed: () => void): Promise<void> {
  try {
    const settled = await inTransaction(db, connection => runJobs(connection, jobs));
    committed();
    for (const settle of settled) settle();
  } catch (error) {
    for (const job of jobs) job.fail(error);
  }
}

/** One job needs no savepoint: the transaction is its own. */
async function runJobs(db: Kysely<Tables>, jobs: readonly Job[]): Promise<readonly (() => void)[]> {
  const [only, ...others] = jobs;
  if (only && others.length === 0) return [await only.run(db)];
  const settled: (() => void)[] = [];
  for (const job of jobs) settled.push(await runBeside(db, job));
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

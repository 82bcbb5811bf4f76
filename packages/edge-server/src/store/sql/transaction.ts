import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** How long a write waits for those of other processes, in milliseconds. */
const LOCK_TIMEOUT = 10_000;
const SQLITE_BUSY = 5;

/** Runs work in a transaction of an SQLite file that is its alone; commits it, or undoes it when it throws. */
export async function inTransaction<T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return await db.connection().execute(async connection => {
    await begin(connection);
    try {
      const result = await work(connection);
      await sql`commit`.execute(connection);
      return result;
    } catch (error) {
      // SQLite has ended the transaction by itself when the disk is full; then there is nothing to undo.
      await sql`rollback`.execute(connection).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Takes the write lock at once, since a transaction that reads first and then wants to write would fail beside another. Waits for it
 * without holding up what else the process does, as SQLite's own waiting would.
 */
async function begin(connection: Kysely<Tables>): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT;
  for (;;) {
    try {
      await sql`begin immediate`.execute(connection);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(1 + Math.random() * 4);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

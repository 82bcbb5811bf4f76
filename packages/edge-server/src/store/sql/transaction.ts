import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** The maximum time that a write waits for other processes, in milliseconds. */
const LOCK_TIMEOUT = 10_000;
const SQLITE_BUSY = 5;

/** Runs work in an exclusive transaction of an SQLite file, which is committed, or rolled back if the work throws. */
export async function inTransaction<T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return await db.connection().execute(async connection => {
    await begin(connection);
    try {
      const result = await work(connection);
      await sql`commit`.execute(connection);
      return result;
    } catch (error) {
      // If the disk is full, SQLite has already rolled back.
      await sql`rollback`.execute(connection).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Acquires the write lock immediately, because upgrading a read transaction fails if another one writes. Waits asynchronously; SQLite's own
 * waiting would block the process.
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

// Prepared statements, and transactions that are tried again.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** A placeholder for a value of a prepared query. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Returns a named placeholder, which {@link Prepared} fills. */
export function slot<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Slot(name)}`;
}

/** A query that is compiled once, because building and compiling costs more than running it on SQLite. */
export class Prepared<Parameters extends object, Row> {
  readonly #query: CompiledQuery<Row>;

  constructor(query: Compilable<Row>) {
    this.#query = query.compile();
  }

  async run(executor: Kysely<Tables>, values: Parameters): Promise<readonly Row[]> {
    const parameters = this.#query.parameters.map(one => (one instanceof Slot ? Reflect.get(values, one.name) : one));
    const { rows } = await executor.executeQuery<Row>({ ...this.#query, parameters });
    return rows;
  }

  async first(executor: Kysely<Tables>, values: Parameters): Promise<Row | undefined> {
    const [row] = await this.run(executor, values);
    return row;
  }
}

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

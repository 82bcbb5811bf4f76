import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBAppender, DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { removeAtEnd } from '@tollgate/diagnostics/temporary-files';
import { Unsuited } from '../columns/unsuited.ts';

/** The memory limit of a database; the process needs about 200 MB more. */
const MEMORY = '384MB';

/** The module of the engine, which an installation may lack. */
export type DuckdbLibrary = typeof import('@duckdb/node-api');

/** An open database in memory, with temporary files in the system's folder. */
export interface Session {
  readonly library: DuckdbLibrary;
  /** Runs statements. */
  readonly run: (sql: string) => Promise<void>;
  /** Yields the rows of a query in batches of columns. */
  readonly batches: (sql: string) => AsyncGenerator<readonly (readonly DuckDBValue[])[]>;
  /** Returns all rows of a small result. */
  readonly rows: (sql: string) => Promise<readonly (readonly DuckDBValue[])[]>;
  /** Adds rows of integers to a table; null for none. The columns have the type `integer`, or `bigint` if they are wide. */
  readonly append: (table: string, rows: Iterable<readonly (number | null)[]>, width?: 'wide') => Promise<void>;
  /** Stops the query that runs. */
  readonly interrupt: () => void;
  readonly close: () => Promise<void>;
}

/** Opens a database that loads no extensions. Throws {@link Unsuited} if the engine is not installed. */
export async function openSession(threads = availableParallelism()): Promise<Session> {
  const library = await loadDuckdb();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-query-'));
  const stopGuard = removeAtEnd(folder);
  const instance = await library.DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: MEMORY,
    temp_directory: folder,
    threads: String(threads),
  });
  const connection = await instance.connect();
  await connection.run(`set TimeZone = 'UTC'`);
  return {
    library,
    run: async sql => void (await connection.run(sql)),
    batches: sql => batchesOf(connection, sql),
    rows: async sql => (await connection.runAndReadAll(sql)).getRows(),
    append: async (table, rows, width) => appendRows(await connection.createAppender(table), rows, width === 'wide'),
    interrupt: () => connection.interrupt(),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true, force: true });
      stopGuard();
    },
  };
}

async function loadDuckdb(): Promise<DuckdbLibrary> {
  try {
    return await import('@duckdb/node-api');
  } catch {
    throw new Unsuited('the package `@duckdb/node-api` is not installed for this platform');
  }
}

async function* batchesOf(
  connection: DuckDBConnection,
  sql: string,
): AsyncGenerator<readonly (readonly DuckDBValue[])[]> {
  const result = await connection.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk.getColumns();
  }
}

function appendRows(appender: DuckDBAppender, rows: Iterable<readonly (number | null)[]>, isWide: boolean): void {
  for (const row of rows) {
    for (const value of row) {
      if (value === null) appender.appendNull();
      else if (isWide) appender.appendBigInt(BigInt(value));
      else appender.appendInteger(value);
    }
    appender.endRow();
  }
  appender.closeSync();
}

/** Quotes a string literal in SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes an identifier in SQL. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

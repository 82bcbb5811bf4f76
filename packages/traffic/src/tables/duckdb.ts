import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import { ExternalError } from '@tollgate/diagnostics';
import { createPlainValue, type PlainValue } from './plain-value.ts';

/** The memory limit of a database, not counting single rows. */
const MEMORY = '48MB';

/** A DuckDB database in memory, for reading one table. */
export interface Duckdb {
  /** Runs a query, and yields its columns in batches of rows. */
  readonly query: (sql: string) => AsyncGenerator<Columns>;
  /** Returns the column names of a query. */
  readonly columnsOf: (sql: string) => Promise<readonly string[]>;
  readonly close: () => void;
}

/** A batch of rows: their number, and the value of a column in one of them. */
export interface Columns {
  readonly rows: number;
  readonly value: (column: number, row: number) => PlainValue;
}

/** The context of a database, for messages and temporary files. */
interface DuckdbContext {
  /** As the user named it. */
  readonly file: string;
  readonly folder: string;
  /** What a readable file must be, for messages. */
  readonly expected: string;
}

/** Opens a database, which loads no extensions. Its errors are `ExternalError`s: `traffic/malformed-table`, and those of missing parts. */
export async function openDuckdb({ file, folder, expected }: DuckdbContext): Promise<Duckdb> {
  const library = await load(file);
  const instance = await library.DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: MEMORY,
    temp_directory: folder,
    // Keeps rows in the order of the file. The policy runs on another core anyway.
    threads: '1',
  });
  const connection = await instance.connect();
  const plainValue = createPlainValue(library);
  const stream = (sql: string) => guarded(() => connection.stream(sql), file, expected);
  return {
    async *query(sql) {
      const result = await stream(sql);
      for (;;) {
        const chunk = await guarded(() => result.fetchChunk(), file, expected);
        if (chunk === null || chunk.rowCount === 0) return;
        const vectors = result.columnNames().map((_, index) => chunk.getColumnVector(index));
        yield { rows: chunk.rowCount, value: (column, row) => plainValue(vectors[column]!.getItem(row)) };
      }
    },
    columnsOf: async sql => (await stream(`select * from (${sql}) limit 0`)).columnNames(),
    close: () => close(connection, instance),
  };
}

function close(connection: DuckDBConnection, instance: { closeSync(): void }): void {
  connection.closeSync();
  instance.closeSync();
}

/** Its binaries are one package per platform, which an installation may lack. */
async function load(file: string): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    const problem = `cannot read \`${file}\` without the package \`@duckdb/node-api\`; run \`npm install @duckdb/node-api\``;
    throw new ExternalError('traffic/no-table-reader', problem, { cause });
  }
}

async function guarded<T extends DuckDBResult | object | null>(
  run: () => Promise<T>,
  file: string,
  expected: string,
): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    const isMemory = cause instanceof Error && /^Out of Memory/i.test(cause.message);
    const reason = isMemory ? `its rows need more memory than the ${MEMORY} limit` : `expected ${expected}`;
    throw new ExternalError('traffic/malformed-table', `cannot read \`${file}\`: ${reason}`, { cause });
  }
}

/** Quotes a string literal in SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes an identifier in SQL. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

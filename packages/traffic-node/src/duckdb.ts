/** DuckDB, which reads CSV and Parquet, and its values as plain data. */
import type { DuckDBConnection, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import { ExternalError } from '@tollgate/diagnostics';

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

/** A value of a table as JSON data. */
export type PlainValue = string | number | boolean | null | undefined | readonly PlainValue[] | PlainObject;

interface PlainObject {
  readonly [name: string]: PlainValue;
}

type Library = typeof import('@duckdb/node-api');

/**
 * Returns a function that converts values to JSON data: times to ISO 8601 strings, large numbers to strings, lists to lists, structs and maps
 * to objects. Members of a struct without a value are left out, because a struct cannot say that a member does not exist.
 */
export function createPlainValue(library: Library): (value: DuckDBValue) => PlainValue {
  const plain = (value: DuckDBValue): PlainValue => {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof library.DuckDBListValue || value instanceof library.DuckDBArrayValue)
      return value.items.map(plain);
    if (value instanceof library.DuckDBStructValue) return structOf(value.entries, plain);
    if (value instanceof library.DuckDBMapValue) return mapOf(value.entries, plain);
    if (value instanceof library.DuckDBBlobValue) return Buffer.from(value.bytes).toString('utf8');
    return timeOf(value, library) ?? String(value);
  };
  return plain;
}

type Plain = (value: DuckDBValue) => PlainValue;

function structOf(entries: Readonly<Record<string, DuckDBValue>>, plain: Plain): PlainObject {
  const known = Object.entries(entries).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, plain(value)]));
}

/** Collects all values of a repeated name. */
function mapOf(
  entries: readonly { readonly key: DuckDBValue; readonly value: DuckDBValue }[],
  plain: Plain,
): PlainObject {
  const values = new Map<string, PlainValue>();
  for (const { key, value } of entries) {
    const name = String(plain(key));
    const before = values.get(name);
    values.set(name, before === undefined ? plain(value) : [before, plain(value)].flat());
  }
  return Object.fromEntries(values);
}

function timeOf(value: object, library: Library): string | undefined {
  const ms = msOf(value, library);
  if (ms === undefined || Math.abs(ms) > MAX_MS) return undefined;
  return new Date(ms).toISOString();
}

/** The limit of dates (ECMA-262, section 21.4.1.1); infinite times lie beyond it. */
const MAX_MS = 8.64e15;

function msOf(value: object, library: Library): number | undefined {
  if (value instanceof library.DuckDBTimestampTZValue) return Number(value.micros / 1000n);
  if (value instanceof library.DuckDBTimestampValue) return Number(value.micros / 1000n);
  if (value instanceof library.DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof library.DuckDBTimestampSecondsValue) return Number(value.seconds) * 1000;
  if (value instanceof library.DuckDBTimestampNanosecondsValue) return Number(value.nanos / 1_000_000n);
  return undefined;
}

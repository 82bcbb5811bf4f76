/** DuckDB, which reads CSV and Parquet, and its values as plain data. */
import type { DuckDBConnection, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import { ExternalError, quotedName } from '@tollgate/diagnostics';

/** The memory limit of a database, not counting single rows. */
const MEMORY = '48MB';

/** A DuckDB database in memory, for reading one table. */
export interface Duckdb {
  /** Runs a query, and yields its columns in batches of rows. */
  readonly query: (sql: string) => AsyncGenerator<Columns>;
  /** Yields columns of a table in batches of few bytes. */
  readonly scan: (from: string, columns: readonly ScannedColumn[]) => AsyncGenerator<Columns>;
  /** Returns the columns of a table. */
  readonly columnsOf: (from: string) => Promise<readonly ScannedColumn[]>;
  readonly close: () => void;
}

/** A column of a table. */
export interface ScannedColumn {
  readonly name: string;
  /** As DuckDB writes it. */
  readonly type: string;
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
  async function* query(sql: string): AsyncGenerator<Columns> {
    const result = await stream(sql);
    const count = result.columnCount;
    for (;;) {
      const chunk = await guarded(() => result.fetchChunk(), file, expected);
      if (chunk === null || chunk.rowCount === 0) return;
      const vectors = Array.from({ length: count }, (_, index) => chunk.getColumnVector(index));
      yield { rows: chunk.rowCount, value: (column, row) => plainValue(vectors[column]!.getItem(row)) };
    }
  }
  return {
    query,
    async *scan(from, columns) {
      for await (const { rows, value } of query(boundedRows(from, columns))) {
        const own = Array.from({ length: rows }, (_, row) => row).filter(row => value(columns.length, row) === true);
        yield { rows: own.length, value: (column, row) => value(column, own[row]!) };
      }
    },
    columnsOf: async from => {
      const result = await stream(`select * from ${from} limit 0`);
      return result.columnNames().map((name, index) => ({ name, type: String(result.columnType(index)) }));
    },
    close: () => close(connection, instance),
  };
}

/** Bytes of a row that a batch has room for. */
const ROW_BYTES = 2048;

/**
 * Returns a query for columns of a table whose batches have few bytes. DuckDB counts rows: 2,048 of them with a URL of 100 kB take 200 MB several
 * times over. A long row is therefore followed by rows without values, one for every {@link ROW_BYTES}; they are false in the last column.
 */
export function boundedRows(from: string, columns: readonly ScannedColumn[], order = ''): string {
  const values = columns.map(({ name }, at) => `${quotedName(name)} as v${at}`);
  const lengths = columns.flatMap(({ type }, at) => bytesIn(`v${at}`, type) ?? []);
  const spread = `select *, unnest(range((${lengths.join(' + ') || '0'}) // ${ROW_BYTES} + 1)) = 0 as own from (select ${values.join(', ')} from ${from})`;
  return `select ${columns.map((_, at) => `case when own then v${at} end`).join(', ')}, own from (${spread})${order}`;
}

/** Returns the bytes that a value takes, in SQL; undefined if they are few. A string with all values of a map or struct would take its bytes once more. */
export function bytesIn(value: string, type: string): string | undefined {
  if (!/VARCHAR|STRUCT|MAP|BLOB|JSON|UNION|\[/.test(type)) return undefined;
  const lengthOf = (one: string) => `coalesce(strlen(${one}::varchar), 0)`;
  const members = stringMembersOf(type);
  if (members !== undefined) return members.map(name => lengthOf(`${value}.${name}`)).join(' + ');
  if (type !== 'MAP(VARCHAR, VARCHAR)') return lengthOf(value);
  const lists = ['map_keys', 'map_values'].map(name => `list_transform(${name}(${value}), lambda one: strlen(one))`);
  return lists.map(list => `coalesce(list_sum(${list}), 0)::bigint`).join(' + ');
}

/** Returns the names in a struct of strings, quoted where that is needed; undefined for any other type. */
function stringMembersOf(type: string): readonly string[] | undefined {
  const members = [...type.matchAll(/(?<=^STRUCT\(|, )("(?:[^"]|"")*"|\w+) VARCHAR(?=, |\)$)/g)];
  const written = members.map(([member]) => member).join(', ');
  return members.length > 0 && type === `STRUCT(${written})` ? members.map(([, name]) => name!) : undefined;
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
    const reason = isMemory
      ? `its rows need more memory than the ${MEMORY} limit; convert it to JSON lines`
      : `expected ${expected}`;
    throw new ExternalError('traffic/malformed-table', `cannot read \`${file}\`: ${reason}`, { cause });
  }
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

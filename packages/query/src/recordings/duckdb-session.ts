/** A DuckDB database of its own, with limits and cancellation. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { singleQuoted } from '@tollgate/diagnostics';
import { boundedRows } from '@tollgate/traffic-node';
import { temporaryFolder } from '@tollgate/traffic-node/temporary-files';
import { UnsupportedQueryError } from './column-record.ts';

/** The memory limit of a database; beyond it, tables go to temporary files. The process needs about 250 MB more: less than 600 MB in all. */
const MEMORY = '320MB';

/** Recordings of more bytes are loaded into a file, where DuckDB compresses rows while it inserts them, which takes a tenth more of the replay. */
const IN_MEMORY = 512 * 1024 * 1024;

/** Memory that its allocator holds back: by default, 10 GB of recordings take 650 instead of 574 MB. */
const FLUSHED = '16MB';

/** The module of the engine, which an installation may lack. */
type DuckdbLibrary = typeof import('@duckdb/node-api');

/** An open database, with temporary files in the system's folder. */
export interface Session {
  readonly library: DuckdbLibrary;
  /** For temporary files. */
  readonly folder: string;
  /** The name of a new table `raw`. */
  readonly raw: string;
  /** Runs statements. */
  readonly run: (sql: string) => Promise<void>;
  /** Yields the rows of a query in batches of columns. */
  readonly batches: (sql: string) => AsyncGenerator<readonly (readonly DuckDBValue[])[]>;
  /** Yields the rows of a table or query, in the order of its first column, in batches of few bytes, however long their values are. */
  readonly values: (from: string, columns: readonly string[]) => AsyncGenerator<readonly (readonly DuckDBValue[])[]>;
  /** Returns all rows of a small result. */
  readonly rows: (sql: string) => Promise<readonly (readonly DuckDBValue[])[]>;
  /** Adds columns of integers to a table; null for none. They have the type `integer`, or `bigint` if they are wide. */
  readonly append: (table: string, columns: readonly (readonly (number | null)[])[], width?: 'wide') => Promise<void>;
  /** Stops the query that runs. */
  readonly interrupt: () => void;
  /** Ends all work with its reason. */
  readonly stop: AbortSignal | undefined;
  readonly close: () => Promise<void>;
}

/** What a database is opened for. */
interface SessionOptions {
  readonly threads?: number | undefined;
  readonly stop?: AbortSignal | undefined;
  /** The size of the recordings that are loaded, as JSON lines. */
  readonly bytes?: number;
}

/** Opens a database that loads no extensions. Throws {@link UnsupportedQueryError} if the engine is not installed. */
export async function openSession({
  threads = availableParallelism(),
  stop,
  bytes = 0,
}: SessionOptions = {}): Promise<Session> {
  const library = await loadDuckdb();
  const { path: folder, remove } = temporaryFolder('query');
  const instance = await library.DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: MEMORY,
    allocator_flush_threshold: FLUSHED,
    allocator_bulk_deallocation_flush_threshold: FLUSHED,
    temp_directory: folder,
    threads: String(threads),
  });
  const connection = await instance.connect();
  // All joins start from the records. Their sizes are not known: in another order, two tables of answers were joined with each other first.
  // Rows keep their ids until a checkpoint, of tables in memory too.
  await connection.run(
    "set TimeZone = 'UTC'; set disabled_optimizers = 'join_order'; set checkpoint_threshold = '1TB'",
  );
  const isStored = bytes > IN_MEMORY;
  if (isStored)
    await connection.run(`attach ${singleQuoted(join(folder, 'stored.db'))} as stored (storage_version 'latest');
      set search_path = 'memory.main,stored.main';
      pragma disable_checkpoint_on_shutdown`);
  const interrupt = () => connection.interrupt();
  let interrupting: NodeJS.Timeout | undefined;
  const interruptUntilClosed = () => {
    interrupt();
    interrupting ??= setInterval(interrupt, BETWEEN_INTERRUPTS);
  };
  stop?.addEventListener('abort', interruptUntilClosed);
  return {
    ...{ library, folder, stop, raw: isStored ? 'stored.raw' : 'raw' },
    interrupt,
    run: async sql => {
      stop?.throwIfAborted();
      await connection.run(sql);
    },
    batches: sql => batchesOf(connection, sql, stop),
    async *values(from, columns) {
      // Whatever their types: none of these values is very long.
      const scanned = columns.map(name => ({ name, type: 'VARCHAR' }));
      for await (const batch of batchesOf(connection, boundedRows(from, scanned, ' order by v0'), stop)) {
        const own = batch.at(-1)!;
        yield own.flatMap((isOwn, row) => (isOwn === true ? [columns.map((_, at) => batch[at]![row]!)] : []));
      }
    },
    rows: async sql => {
      stop?.throwIfAborted();
      return (await connection.runAndReadAll(sql)).getRows();
    },
    append: (table, columns, width) => append({ library, connection }, { table, columns, width }),
    close: async () => {
      stop?.removeEventListener('abort', interruptUntilClosed);
      clearInterval(interrupting);
      connection.closeSync();
      instance.closeSync();
      remove();
    },
  };
}

interface Opened {
  readonly library: DuckdbLibrary;
  readonly connection: DuckDBConnection;
}

interface Appended {
  readonly table: string;
  readonly columns: readonly (readonly (number | null)[])[];
  readonly width: 'wide' | undefined;
}

async function append({ library, connection }: Opened, { table, columns, width }: Appended): Promise<void> {
  const { BIGINT, INTEGER, DuckDBDataChunk } = library;
  const types = columns.map(() => (width ? BIGINT : INTEGER));
  const appender = await connection.createAppender(table);
  for (let row = 0; row < columns[0]!.length; row += CHUNK) {
    const part = columns.map(column => column.slice(row, row + CHUNK));
    const chunk = DuckDBDataChunk.create(types, part[0]!.length);
    chunk.setColumns(width ? part.map(values => values.map(wide)) : part);
    appender.appendDataChunk(chunk);
    if (row % (16 * CHUNK) === 0) await nextTurn();
  }
  appender.closeSync();
}

async function loadDuckdb(): Promise<DuckdbLibrary> {
  try {
    return await import('@duckdb/node-api');
  } catch {
    throw new UnsupportedQueryError('the package `@duckdb/node-api` is not installed for this platform');
  }
}

async function* batchesOf(
  connection: DuckDBConnection,
  sql: string,
  stop: AbortSignal | undefined,
): AsyncGenerator<readonly (readonly DuckDBValue[])[]> {
  stop?.throwIfAborted();
  const result = await connection.stream(sql);
  for (;;) {
    // Chunks that are there are fetched in the same turn, in which no signal would be handled.
    await nextTurn();
    stop?.throwIfAborted();
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk.getColumns();
  }
}

/** In ms. An interrupt that comes before the statement starts is lost. */
const BETWEEN_INTERRUPTS = 5;

/** Rows that DuckDB processes at once. */
const CHUNK = 2048;

function wide(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}

/** Why a query failed. */
interface QueryFailure {
  /** Memory, or space for temporary files, was not enough. */
  readonly isOutOfSpace: boolean;
  /** A clause for messages. */
  readonly reason: string;
  /** The number of the record that could not be read, without blank lines. */
  readonly record?: number;
}

const ENGINE_ERROR = /^([A-Z][A-Za-z -]*) Error: ([^\n]*)/;

/** Returns why a query failed; undefined for an error that is not one of the engine. */
export function queryFailure(error: unknown): QueryFailure | undefined {
  const [, kind, text] = (error instanceof Error && ENGINE_ERROR.exec(error.message)) || [];
  if (kind === undefined) return undefined;
  const problem = text!.replace(/[.]$/, '');
  if (kind === 'Out of Memory' || kind === 'IO')
    return { isOutOfSpace: true, reason: `DuckDB ran out of memory, or of space for temporary files: ${problem}` };
  const [, step, line] = /^(JSON transform error|Malformed JSON) in .* in line (\d+): /.exec(text!) ?? [];
  return {
    ...{ isOutOfSpace: false, reason: `DuckDB failed: ${kind} Error: ${problem}` },
    // DuckDB counts lines that are not blank, from 1 where it looks at values, and from 2 before that.
    ...(line !== undefined && { record: step === 'Malformed JSON' ? Number(line) - 1 : Number(line) }),
  };
}

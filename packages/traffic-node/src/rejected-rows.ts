/** The rows of a CSV file that DuckDB has rejected, with their lines. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { SkippedRecord, TrafficBatch } from '@tollgate/traffic';
import { excerptOf } from '@tollgate/traffic/reading';
import type { Duckdb } from './duckdb.ts';

/** A CSV file that DuckDB has read to its end. */
interface CsvScan {
  /** As the user named it. */
  readonly file: string;
  /** Of the file that was read. */
  readonly path: string;
  /** The SQL that scans it, and the columns that it has. */
  readonly from: string;
  readonly columns: readonly string[];
}

interface RejectedRow {
  /** One-based line of its first error. */
  readonly line: number;
  readonly excerpt: string;
  /** A quote in the wrong place: usually one that is not closed, so that the lines after it belong to its field. */
  readonly isQuote: boolean;
}

/** The number of skipped records in a batch. */
const BATCH = 1000;

/**
 * Yields the rows that DuckDB rejected. A line that an open quote makes part of a field is a skipped record of its own, so that
 * one quote cannot hide how much it takes.
 */
export async function* rejectedRows(duckdb: Duckdb, scan: CsvScan): AsyncGenerator<TrafficBatch> {
  let batch: SkippedRecord[] = [];
  for await (const skipped of skippedRows(duckdb, scan)) {
    batch.push(skipped);
    if (batch.length < BATCH) continue;
    yield { exchanges: [], skipped: batch };
    batch = [];
  }
  if (batch.length > 0) yield { exchanges: [], skipped: batch };
}

async function* skippedRows(duckdb: Duckdb, scan: CsvScan): AsyncGenerator<SkippedRecord> {
  const at = (number: number) => ({ file: scan.file, number, unit: 'line' as const });
  let hidden: number | undefined;
  for await (const [{ line, excerpt, isQuote }, next] of withNext(rows(duckdb, scan.path))) {
    yield { place: at(line), reason: 'traffic/malformed-row', excerpt };
    if (!isQuote) continue;
    hidden ??= await hiddenLines(duckdb, scan);
    // Of several open quotes, DuckDB does not tell how far each one goes.
    const own = next === undefined ? hidden : Math.min(hidden, next.line - line - 1);
    for (let offset = 1; offset <= own; offset++)
      yield { place: at(line + offset), reason: 'traffic/open-quote', excerpt: `after the quote in line ${line}` };
    hidden -= own;
  }
}

async function* withNext<T>(values: AsyncIterable<T>): AsyncGenerator<readonly [T, T | undefined]> {
  let last: T | undefined;
  for await (const value of values) {
    if (last !== undefined) yield [last, value];
    last = value;
  }
  if (last !== undefined) yield [last, undefined];
}

/** Yields the rejected rows in the order of the file. */
async function* rows(duckdb: Duckdb, path: string): AsyncGenerator<RejectedRow> {
  const lines = await LineCounter.open(path);
  try {
    for await (const { rows, value } of duckdb.query(REJECTED_ROWS)) {
      for (let row = 0; row < rows; row++) {
        const line = await lines.lineAt(Number(value(0, row)));
        const excerpt = excerptOf(lineAround(String(value(2, row) ?? ''), Number(value(1, row))));
        yield { line, excerpt, isQuote: value(3, row) === true };
      }
    }
  } finally {
    await lines.close();
  }
}

/**
 * By rejected row: the byte position of its first error in the file, the same relative to the source, the source, and whether the
 * error is a quote. DuckDB may report several errors for one row, and its `line` counts rows, which may contain line breaks
 * inside quotes. For a quote in the wrong place, `line_byte_position` and `csv_line` may start at an earlier row, so the byte position of the
 * quote counts instead.
 */
const REJECTED_ROWS = `
  select min(position), arg_min(position - line_byte_position, position), arg_min(source, position), bool_or(is_quote)
  from (
    select *, csv_line[:position - line_byte_position + 256] as source
    from (
      select *, error_type = 'UNQUOTED VALUE' as is_quote, if(is_quote, byte_position, line_byte_position) as position
      from reject_errors
    )
  )
  group by file_id, line
  order by 1`;

/** Returns `source` from the start of the line that contains the byte at `position`. */
function lineAround(source: string, position: number): string {
  const bytes = Buffer.from(source);
  return bytes.toString('utf8', bytes.subarray(0, position).lastIndexOf('\n') + 1);
}

/** Returns how many lines are in no row, neither in one that was read nor in one that was rejected. */
async function hiddenLines(duckdb: Duckdb, { path, from, columns }: CsvScan): Promise<number> {
  // Before the file is scanned again, which adds to the errors.
  const rejected = await numberOf(duckdb, REJECTED_LINES);
  const breaks = columns.map(key => lineBreaks(key)).join(' + ');
  const read = await numberOf(duckdb, `select count(*) + coalesce(sum(${breaks}), 0) from ${from}`);
  const header = 1;
  return Math.max(0, (await countLines(path)) - header - read - rejected);
}

/** SQL for the number of times that a value goes on in another line. Empty lines do not count: outside quotes they are no rows. */
const lineBreaks = (key: string) => `coalesce(len(regexp_extract_all(${key}, '[\\r\\n]+')), 0)`;

const REJECTED_LINES = `
  select sum(if(is_quote, 1, 1 + breaks))
  from (
    select bool_or(error_type = 'UNQUOTED VALUE') as is_quote, min(${lineBreaks(`rtrim(csv_line, e'\\r\\n')`)}) as breaks
    from reject_errors group by file_id, line
  )`;

async function numberOf(duckdb: Duckdb, sql: string): Promise<number> {
  for await (const { value } of duckdb.query(sql)) return Number(value(0, 0));
  return 0;
}

/** Returns the number of lines of a file that are not empty. */
async function countLines(path: string): Promise<number> {
  let lines = 0;
  let isEmpty = true;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      const isBreak = byte === 10 || byte === 13;
      if (isEmpty && !isBreak) lines++;
      isEmpty = isBreak;
    }
  }
  return lines;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const CHUNK_BYTES = 256 * 1024;

/** Finds the lines of byte positions in a file, asked for in ascending order. A line ends with LF, CRLF or CR, as rows do. */
class LineCounter {
  readonly #file: FileHandle;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  /** Of the chunk in the file, in bytes. */
  #start = 0;
  #length = 0;
  /** In the chunk: bytes before it are counted. */
  #offset = 0;
  #line = 1;
  #last = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<LineCounter> {
    return new LineCounter(await open(path));
  }

  /** Returns the one-based line of a byte. */
  async lineAt(position: number): Promise<number> {
    while (this.#start + this.#offset < position) {
      if (this.#offset === this.#length && !(await this.#readChunk())) break;
      const end = Math.min(this.#length, position - this.#start);
      while (this.#offset < end) this.#count(this.#chunk[this.#offset++]!);
    }
    return this.#line;
  }

  /** Reads the next chunk; returns false at the end of the file. */
  async #readChunk(): Promise<boolean> {
    this.#start += this.#length;
    const { bytesRead } = await this.#file.read(this.#chunk, 0, CHUNK_BYTES, this.#start);
    [this.#length, this.#offset] = [bytesRead, 0];
    return bytesRead > 0;
  }

  #count(byte: number): void {
    if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && this.#last !== CARRIAGE_RETURN)) this.#line++;
    this.#last = byte;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

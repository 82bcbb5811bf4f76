// Recordings that the page was given, read where they are: plain, gzip of several members, and zstd.

import { InternalError } from '@tollgate/diagnostics';
import { readTraffic, type SkippedRecord, type TrafficBatch, type TrafficReader } from '@tollgate/traffic';
import {
  csvHeader,
  excerptOf,
  type Inflater,
  type Inflaters,
  refuseTables,
  type TableFormat,
  TableRows,
  type TableSource,
} from '@tollgate/traffic/reading';
import { Gunzip } from 'fflate';
import { Decompress } from 'fzstd';
import type { Recording } from '../jobs.ts';

/** Read at a time: the records of a chunk stay in the processor's cache until they are decided. */
const CHUNK_BYTES = 64 * 1024;

/** Returns a reader of recordings by their names. */
export function recordingReader(recordings: readonly Recording[], onBytes: (bytes: number) => void): TrafficReader {
  const byName = new Map(recordings.map(({ name, content }) => [name, content]));
  return {
    read: (file, options) =>
      readTraffic(file, {
        ...options,
        content: chunksOf(byName.get(file) ?? new Blob([]), onBytes),
        inflaters: INFLATERS,
        tables: readTable,
      }),
    locate: async () => {
      throw new InternalError('recordings of the playground name no databases of locations');
    },
  };
}

async function* chunksOf(blob: Blob, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += CHUNK_BYTES) {
    const bytes = new Uint8Array(await blob.slice(at, at + CHUNK_BYTES).arrayBuffer());
    onBytes(bytes.length);
    yield bytes;
  }
}

/** Decompressors without a platform: that of browsers reads only the first member of a gzip file. */
export const INFLATERS: Inflaters = { gzip: () => gunzipper(), zstd: () => unzstdder() };

/** The part of both libraries that is used: chunks go in, and come out through a callback. */
interface Decompressor {
  readonly push: (chunk: Uint8Array, isFinal?: boolean) => void;
}

function gunzipper(): Inflater {
  const out: Uint8Array[] = [];
  return inflaterOf(new Gunzip(chunk => void out.push(chunk)), out);
}

function unzstdder(): Inflater {
  const out: Uint8Array[] = [];
  return inflaterOf(new Decompress(chunk => void out.push(chunk)), out);
}

function inflaterOf(decompressor: Decompressor, out: Uint8Array[]): Inflater {
  async function* push(piece: Uint8Array, isFinal: boolean): AsyncGenerator<Uint8Array> {
    try {
      // A copy, since both libraries keep what they were given.
      decompressor.push(piece.slice(), isFinal);
    } catch (error) {
      yield* out.splice(0);
      throw isFinal
        ? Object.assign(new Error('the data ends too early', { cause: error }), { code: 'Z_BUF_ERROR' })
        : error;
    }
    yield* out.splice(0);
  }
  return { write: piece => push(piece, false), end: () => push(new Uint8Array(0), true), close: () => {} };
}

// Rows of CSV (RFC 4180) without a database: what is pasted or dropped into a page. Rows that DuckDB rejects are skipped here, too.

/** Reads the rows of a CSV file as exchanges; refuses other tables. */
function readTable(format: TableFormat, source: TableSource): AsyncIterable<TrafficBatch> {
  return format === 'csv' ? readCsv(source) : refuseTables('Parquet')(format, source);
}

async function* readCsv({ bytes, file, maxLineLength, mapping = {} }: TableSource): AsyncGenerator<TrafficBatch> {
  const decoder = new TextDecoder();
  const rows = new CsvRows(maxLineLength);
  let table: TableRows | undefined;
  const batchOf = (found: readonly CsvRow[]): TrafficBatch => {
    const skipped: SkippedRecord[] = [];
    const records: Readonly<Record<string, unknown>>[] = [];
    for (const { fields, line, reason = 'traffic/malformed-row', text } of found) {
      table ??= new TableRows(file, rows.names, mapping);
      if (fields?.length === rows.names.length) records.push(recordOf(rows.names, fields));
      else skipped.push({ place: { file, number: line, unit: 'line' }, reason, excerpt: excerptOf(text) });
    }
    const { exchanges, skipped: empty } = table?.read(records) ?? EMPTY_BATCH;
    return { exchanges, skipped: [...skipped, ...empty] };
  };
  for await (const chunk of bytes) yield batchOf(rows.push(decoder.decode(chunk, { stream: true })));
  yield batchOf(rows.end(decoder.decode()));
  // Also for a file without rows, whose columns may be unknown.
  table ??= new TableRows(file, rows.names, mapping);
}

const EMPTY_BATCH: TrafficBatch = { exchanges: [], skipped: [] };

/** A field without a value and without quotes is missing. */
function recordOf(
  names: readonly string[],
  fields: readonly (string | undefined)[],
): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = Object.create(null);
  for (const [index, name] of names.entries()) if (fields[index] !== undefined) record[name] = fields[index];
  return record;
}

/** A row, or a line that is none. */
interface CsvRow {
  /** One-based, of the file. */
  readonly line: number;
  readonly fields?: readonly (string | undefined)[];
  readonly reason?: 'traffic/open-quote';
  /** What is shown of a row that is skipped. */
  readonly text: string;
}

/** Splits text into rows, whatever pieces it comes in. */
class CsvRows {
  readonly #maxLength: number;
  names: readonly string[] = [];
  #delimiter: string | undefined;
  #rest = '';
  #line = 1;
  /** Whether the text goes on with the rest of a line that was given up. */
  #isGivenUp = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Returns the rows that are complete now. */
  push(text: string): readonly CsvRow[] {
    return this.#rows(this.#rest + text, false);
  }

  /** Returns the remaining rows. */
  end(text: string): readonly CsvRow[] {
    return this.#rows(this.#rest + text, true);
  }

  #rows(text: string, isEnd: boolean): readonly CsvRow[] {
    const rows: CsvRow[] = [];
    let at = this.#delimiter === undefined ? this.#header(text, isEnd) : this.#pastGivenUp(text);
    while (at < text.length) {
      const delimiter = this.#delimiter;
      if (delimiter === undefined) break;
      const row = rowAt(text, at, { delimiter, isEnd });
      const isTooLong = (row?.end ?? text.length) - at > this.#maxLength;
      if (row === undefined && !isEnd && !isTooLong) break;
      const end = row === undefined || isTooLong ? lineEnd(text, at) : row.end;
      const line = this.#line;
      const source = text.slice(at, end);
      this.#line += breaksIn(source);
      at = end;
      this.#isGivenUp = isTooLong && !/[\r\n]$/.test(source);
      if (row && !isTooLong) {
        if (source.trim() !== '')
          rows.push({ line, text: source.trimEnd(), ...(row.fields && { fields: row.fields }) });
      } else {
        rows.push({ line, text: source.slice(0, EXCERPT).trimEnd() });
        // Nothing closes the quote, so that all that follows is its field.
        if (row === undefined && isEnd && !isTooLong) at = this.#hidden(text, at, line, rows);
      }
    }
    this.#rest = text.slice(at);
    return rows;
  }

  /** Reads the names of the columns, and returns where the rows begin. */
  #header(text: string, isEnd: boolean): number {
    const end = lineEnd(text, 0);
    if (end === text.length && !isEnd && end <= this.#maxLength) return 0;
    ({ names: this.names, delimiter: this.#delimiter } = csvHeader(/^[^\r\n]*/.exec(text)![0]));
    this.#line += breaksIn(text.slice(0, end));
    return end;
  }

  #pastGivenUp(text: string): number {
    if (!this.#isGivenUp) return 0;
    const end = lineEnd(text, 0);
    this.#isGivenUp = end === text.length && !/[\r\n]$/.test(text);
    this.#line += breaksIn(text.slice(0, end));
    return end;
  }

  #hidden(text: string, start: number, line: number, rows: CsvRow[]): number {
    for (const one of text.slice(start).split(/\r\n?|\n/)) {
      const at = this.#line++;
      if (one !== '') rows.push({ line: at, reason: 'traffic/open-quote', text: `after the quote in line ${line}` });
    }
    return text.length;
  }
}

const EXCERPT = 1000;

/** Returns where the next line begins. */
function lineEnd(text: string, start: number): number {
  LINE.lastIndex = start;
  return LINE.exec(text) ? LINE.lastIndex : text.length;
}

const LINE = /[^\r\n]*(?:\r\n?|\n)?/y;

function breaksIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\n' || (char === '\r' && text[at + 1] !== '\n')) count++;
  }
  return count;
}

/** Returns the row that begins at a place: without fields if it is malformed; undefined if it does not end in this text. */
function rowAt(
  text: string,
  start: number,
  { delimiter, isEnd }: { readonly delimiter: string; readonly isEnd: boolean },
): { readonly fields?: readonly (string | undefined)[]; readonly end: number } | undefined {
  const fields: (string | undefined)[] = [];
  for (let at = start; ; ) {
    const isQuoted = text[at] === '"';
    const close = isQuoted ? closingQuote(text, at + 1) : fieldEnd(text, at, delimiter);
    if (close < 0) return undefined;
    const value = text.slice(isQuoted ? at + 1 : at, close);
    fields.push(isQuoted ? value.replaceAll('""', '"') : value === '' ? undefined : value);
    at = isQuoted ? close + 1 : close;
    if (at >= text.length) return isEnd ? { fields, end: at } : undefined;
    const char = text[at]!;
    if (char === delimiter) at++;
    else if (char === '\n') return { fields, end: at + 1 };
    else if (char === '\r') {
      // The next piece may begin with the other half.
      if (at + 1 === text.length && !isEnd) return undefined;
      return { fields, end: at + (text[at + 1] === '\n' ? 2 : 1) };
    } else return { end: lineEnd(text, at) };
  }
}

/** Returns the place of the quote that ends a field; -1 if there is none. Doubled quotes are part of it. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}

function fieldEnd(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}

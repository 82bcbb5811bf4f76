import { excerptOf, type SkippedRecord, type TrafficBatch } from '../exchange/batch.ts';
import { peek } from '../input/byte-source.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import { type CsvHeader, csvHeader } from './csv-header.ts';
import { type Duckdb, openDuckdb, sqlText } from './duckdb.ts';
import { LineCounter } from './line-counter.ts';
import { readTable } from './read-table.ts';
import { type TableSource, tableFile } from './table-file.ts';

/** A CSV file to read. */
export interface CsvSource extends TableSource {
  /** Longest row in bytes. */
  readonly maxLineLength: number;
}

/** The number of bytes that must contain the names of all columns. */
const HEADER_BYTES = 64 * 1024;

/** Reads a CSV file, whose first line names the columns, row by row. Malformed rows are skipped and reported at the end. */
export async function* readCsv(
  { bytes, maxLineLength, ...source }: CsvSource,
  mapping: FieldMapping = {},
): AsyncGenerator<TrafficBatch> {
  const { head, whole } = await peek(bytes, HEADER_BYTES);
  const [line = ''] = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/);
  const header = csvHeader(line);
  const { file } = source;
  const { path, folder, remove } = await tableFile({ ...source, bytes: whole });
  try {
    const duckdb = await openDuckdb({ file, folder, expected: 'a CSV file with consistent line endings' });
    try {
      const columns = header.names.map((name, index) => ({ name, key: `c${index}` }));
      yield* readTable(duckdb, { file, from: scanOf(path, header, maxLineLength), columns }, mapping);
      yield* rejected(duckdb, path, file);
    } finally {
      duckdb.close();
    }
  } finally {
    await remove();
  }
}

/** Columns get our own names, because those of DuckDB ignore case. */
function scanOf(path: string, { delimiter, names }: CsvHeader, maxLineLength: number): string {
  const types = names.map((_, index) => `c${index}: 'VARCHAR'`).join(', ');
  // An empty field in quotes is an empty string, one without quotes is missing.
  const options = `header = true, auto_detect = false, delim = ${sqlText(delimiter)}, quote = '"', escape = '"', allow_quoted_nulls = false`;
  const errors = `ignore_errors = true, store_rejects = true, rejects_limit = 0, max_line_size = ${maxLineLength}, buffer_size = ${4 * maxLineLength}`;
  return `read_csv(${sqlText(path)}, columns = {${types}}, ${options}, ${errors}, compression = 'none', hive_partitioning = false)`;
}

/**
 * Yields the rows that DuckDB rejected. It may report several errors for one row, and its `line` counts rows, which may contain line breaks inside quotes.
 * For a quote in the wrong place, `line_byte_position` and `csv_line` may start at an earlier row, so the byte position of the quote counts instead.
 */
async function* rejected(duckdb: Duckdb, path: string, file: string): AsyncGenerator<TrafficBatch> {
  const lines = await LineCounter.open(path);
  try {
    for await (const { rows, value } of duckdb.query(REJECTED_ROWS)) {
      const skipped: SkippedRecord[] = [];
      for (let row = 0; row < rows; row++) {
        const number = await lines.lineAt(Number(value(0, row)));
        const excerpt = excerptOf(lineAround(String(value(2, row) ?? ''), Number(value(1, row))));
        skipped.push({ place: { file, number, unit: 'line' }, reason: 'traffic/malformed-row', excerpt });
      }
      yield { exchanges: [], skipped };
    }
  } finally {
    await lines.close();
  }
}

/** By rejected row: the byte position of its first error in the file, the same relative to the source, and the source. */
const REJECTED_ROWS = `
  select min(position), arg_min(position - line_byte_position, position), arg_min(source, position)
  from (
    select *, csv_line[:position - line_byte_position + 256] as source
    from (select *, if(error_type = 'UNQUOTED VALUE', byte_position, line_byte_position) as position from reject_errors)
  )
  group by file_id, line
  order by 1`;

/** Returns `source` from the start of the line that contains the byte at `position`. */
function lineAround(source: string, position: number): string {
  const bytes = Buffer.from(source);
  return bytes.toString('utf8', bytes.subarray(0, position).lastIndexOf('\n') + 1);
}

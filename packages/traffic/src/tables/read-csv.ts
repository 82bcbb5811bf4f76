import type { TrafficBatch } from '../exchange/batch.ts';
import { peek } from '../input/byte-source.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import { type CsvHeader, csvHeader } from './csv-header.ts';
import { openDuckdb, sqlText } from './duckdb.ts';
import { readTable } from './read-table.ts';
import { rejectedRows } from './rejected-rows.ts';
import { type TableSource, tableFile } from './table-file.ts';

/** A CSV file to read. */
interface CsvSource extends TableSource {
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
      const from = scanOf(path, header, maxLineLength);
      yield* readTable(duckdb, { file, from, columns }, mapping);
      yield* rejectedRows(duckdb, { file, path, from, columns: columns.map(({ key }) => key) });
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

/** Reads the rows of CSV and Parquet files as exchanges. */
import { singleQuoted } from '@tollgate/diagnostics';
import { bytesToUtf8 } from '@tollgate/diagnostics/portable';
import type { FieldMapping, TrafficBatch } from '@tollgate/traffic';
import {
  type CsvHeader,
  csvHeader,
  peek,
  type TableSource as TableBytes,
  type TableFormat,
  TableRows,
} from '@tollgate/traffic/reading';
import { type Columns, type Duckdb, openDuckdb, type ScannedColumn } from './duckdb.ts';
import { rejectedRows } from './rejected-rows.ts';
import { type TableSource, tableFile } from './table-file.ts';

/** Reads a CSV or Parquet file. */
export function readTable(
  format: TableFormat,
  { maxLineLength, mapping, ...source }: TableBytes & TableSource,
): AsyncGenerator<TrafficBatch> {
  return format === 'csv' ? readCsv({ ...source, maxLineLength }, mapping) : readParquet(source, mapping);
}

/** A CSV file to read. */
interface CsvSource extends TableSource {
  /** Longest row in bytes. */
  readonly maxLineLength: number;
}

/** The number of bytes that must contain the names of all columns. */
const HEADER_BYTES = 64 * 1024;

/** Reads a CSV file, whose first line names the columns, row by row. Malformed rows are skipped and reported at the end. */
async function* readCsv(
  { bytes, maxLineLength, ...source }: CsvSource,
  mapping: FieldMapping = {},
): AsyncGenerator<TrafficBatch> {
  const { head, whole } = await peek(bytes, HEADER_BYTES);
  const [line = ''] = bytesToUtf8(head)
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/);
  const header = csvHeader(line);
  const { file } = source;
  const { path, folder, remove } = await tableFile({ ...source, bytes: whole });
  try {
    const duckdb = await openDuckdb({ file, folder, expected: 'a CSV file with consistent line endings' });
    try {
      const columns = header.names.map((name, index) => ({ name, key: { name: `c${index}`, type: 'VARCHAR' } }));
      const from = scanOf(path, header, maxLineLength);
      yield* readRows(duckdb, { file, from, columns }, mapping);
      yield* rejectedRows(duckdb, { file, path, from, columns: columns.map(({ key }) => key.name) });
    } finally {
      duckdb.close();
    }
  } finally {
    remove();
  }
}

/** Columns get our own names, because those of DuckDB ignore case. */
function scanOf(path: string, { delimiter, names }: CsvHeader, maxLineLength: number): string {
  const types = names.map((_, index) => `c${index}: 'VARCHAR'`).join(', ');
  // An empty field in quotes is an empty string, one without quotes is missing.
  const options = `header = true, auto_detect = false, delim = ${singleQuoted(delimiter)}, quote = '"', escape = '"', allow_quoted_nulls = false`;
  const errors = `ignore_errors = true, store_rejects = true, rejects_limit = 0, max_line_size = ${maxLineLength}, buffer_size = ${4 * maxLineLength}`;
  return `read_csv(${singleQuoted(path)}, columns = {${types}}, ${options}, ${errors}, compression = 'none', hive_partitioning = false)`;
}

/** Reads a Parquet file row by row, with the fields of exchanges in columns. */
async function* readParquet(source: TableSource, mapping: FieldMapping = {}): AsyncGenerator<TrafficBatch> {
  const { file } = source;
  const { path, folder, remove } = await tableFile(source);
  try {
    const duckdb = await openDuckdb({ file, folder, expected: 'a complete, undamaged Parquet file' });
    try {
      // Directories in the path are not columns, whatever their names.
      const from = `read_parquet(${singleQuoted(path)}, hive_partitioning = false, binary_as_string = true)`;
      const columns = await duckdb.columnsOf(from);
      yield* readRows(duckdb, { file, from, columns: columns.map(key => ({ name: key.name, key })) }, mapping);
    } finally {
      duckdb.close();
    }
  } finally {
    remove();
  }
}

/** A table to read. */
interface Table {
  /** As the user named it. */
  readonly file: string;
  /** The source in SQL. */
  readonly from: string;
  /** Each with its name for the mapping and its name in the query. */
  readonly columns: readonly { readonly name: string; readonly key: ScannedColumn }[];
}

/** Reads the rows of a table as exchanges, from the columns that the mapping names. Throws an `ExternalError` if there are none. */
async function* readRows(
  duckdb: Duckdb,
  { file, from, columns }: Table,
  mapping: FieldMapping,
): AsyncGenerator<TrafficBatch> {
  const rows = new TableRows(
    file,
    columns.map(({ name }) => name),
    mapping,
  );
  const keys = columns.filter(({ name }) => rows.names.includes(name)).map(({ key }) => key);
  for await (const batch of duckdb.scan(from, keys)) yield rows.read(recordsOf(batch, rows.names));
}

function* recordsOf(columns: Columns, names: readonly string[]): Generator<Readonly<Record<string, unknown>>> {
  for (let row = 0; row < columns.rows; row++) {
    const record: Record<string, unknown> = Object.create(null);
    names.forEach((name, column) => {
      record[name] = columns.value(column, row) ?? record[name];
    });
    yield record;
  }
}

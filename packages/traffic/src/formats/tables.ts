/** CSV and Parquet files: how they are detected, and which of their columns are read. Their rows are read by a port. */
import { ExternalError } from '@tollgate/diagnostics';
import { bytesToLatin1 } from '@tollgate/diagnostics/portable';
import { type FieldMapping, mappedHeader, RECORD_FIELDS } from '../records/field-mapping.ts';
import type { FormatDescription, ReadTable, TableFormat } from './traffic-format.ts';

export const PARQUET = {
  name: 'parquet',
  title: 'a Parquet file',
  spansLines: true,
  detect: ({ bytes }) => (bytesToLatin1(bytes.subarray(0, 4)) === 'PAR1' ? 1 : 0),
  read: rowsOf('parquet', 'Parquet'),
} as const satisfies FormatDescription;

/** Detected from the names of its columns. */
export const CSV = {
  name: 'csv',
  title: 'a CSV file',
  spansLines: true,
  detect: ({ text }, { mapping = {} }) => {
    const { names } = csvHeader(/^[^\r\n]*/.exec(text)![0]);
    return names.filter(name => isReadColumn(name, mapping)).length > 1 ? 0.6 : 0;
  },
  read: rowsOf('csv', 'CSV'),
} as const satisfies FormatDescription;

function rowsOf(format: TableFormat, title: string): FormatDescription['read'] {
  return (bytes, file, { limits, mapping, tables = refuseTables(title) }) =>
    tables(format, { bytes, file, mapping, maxLineLength: limits.maxLineLength });
}

/** Returns a reader that refuses tables of a kind. */
export function refuseTables(title: string): ReadTable {
  // biome-ignore lint/correctness/useYield: it fails before it yields anything
  return async function* (_, { file }) {
    const problem = `cannot read \`${file}\`: this program does not read ${title} files; use the \`tollgate\` command, or convert it to JSON lines`;
    throw new ExternalError('traffic/no-table-reader', problem);
  };
}

/** Returns the paths that a mapping reads, including the defaults of other fields. */
function pathsOf({ fields = {} }: FieldMapping): readonly string[] {
  return [...RECORD_FIELDS.map(name => fields[name] ?? name), ...Object.values(fields)].filter(path => path !== '');
}

/** Returns true if the mapping reads a column, or if it is named after a header. */
export function isReadColumn(name: string, mapping: FieldMapping): boolean {
  return (
    mappedHeader(name) !== undefined || pathsOf(mapping).some(path => path === name || path.startsWith(`${name}.`))
  );
}

/** Returns the mapping plus columns named after headers, such as `request_headers.User-Agent`. */
export function withHeaderColumns(mapping: FieldMapping, columns: readonly string[]): FieldMapping {
  const headers = columns.filter(name => mappedHeader(name) !== undefined).map(name => [name, name]);
  return { ...mapping, fields: { ...Object.fromEntries(headers), ...mapping.fields } };
}

/** The first line of a CSV file. */
export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
}

const DELIMITERS = [',', '\t', ';', '|'];

/** Reads the column names; the delimiter is the character that splits the line into the most names. */
export function csvHeader(line: string): CsvHeader {
  const all = DELIMITERS.map(delimiter => ({ delimiter, names: splitLine(line, delimiter) }));
  return all.reduce((best, one) => (one.names.length > best.names.length ? one : best));
}

/** Splits a line in which names may be quoted, with quotes doubled (RFC 4180, section 2). */
function splitLine(line: string, delimiter: string): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*(.?)/su.exec(line.slice(at));
    const isQuoted = quoted !== null && (quoted[2] === '' || quoted[2] === delimiter);
    const found = line.indexOf(delimiter, isQuoted ? at + quoted[0].length - quoted[2]!.length : at);
    const end = found < 0 ? line.length : found;
    names.push(isQuoted ? quoted[1]!.replaceAll('""', '"') : line.slice(at, end).trim());
    at = end + 1;
  }
  return names;
}

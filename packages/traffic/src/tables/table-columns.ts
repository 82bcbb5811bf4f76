/** The columns of a table that are read, and the header line of a CSV file. */
import { ExternalError } from '@tollgate/diagnostics';
import { type FieldMapping, mappedHeader, RECORD_FIELDS } from '../records/field-mapping.ts';

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

const SHOWN = 8;

/** Returns the error for a table without a readable column. */
export function noColumns(file: string, columns: readonly string[]): ExternalError {
  const shown = columns.slice(0, SHOWN).map(name => `\`${name}\``);
  const found = `${shown.join(', ')}${columns.length > SHOWN ? ' and others' : ''}`;
  const expected = 'expected columns such as `time`, `client_ip`, `method`, `url` and `status`, or a mapping of fields';
  return new ExternalError('traffic/no-columns', `cannot read \`${file}\`: ${expected}; found ${found}`);
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

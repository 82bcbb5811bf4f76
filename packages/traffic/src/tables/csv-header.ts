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

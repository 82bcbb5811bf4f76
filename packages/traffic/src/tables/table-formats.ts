import type { FormatDescription } from '../format/traffic-format.ts';
import { csvHeader } from './csv-header.ts';
import { readCsv } from './read-csv.ts';
import { readParquet } from './read-parquet.ts';
import { isReadColumn } from './table-columns.ts';

export const PARQUET = {
  name: 'parquet',
  title: 'a Parquet file',
  spansLines: true,
  detect: ({ bytes }) => (bytes.toString('latin1', 0, 4) === 'PAR1' ? 1 : 0),
  read: (bytes, file, { path, mapping }) => readParquet({ bytes, file, path }, mapping),
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
  read: (bytes, file, { limits, path, mapping }) => readCsv({ bytes, file, path, ...limits }, mapping),
} as const satisfies FormatDescription;

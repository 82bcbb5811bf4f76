/** CSV and Parquet files. */
import { readCsv, readParquet } from '../tables/read-table.ts';
import { csvHeader, isReadColumn } from '../tables/table-columns.ts';
import type { FormatDescription } from './traffic-format.ts';

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

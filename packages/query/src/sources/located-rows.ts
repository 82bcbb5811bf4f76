import type { RecordLocation } from '@tollgate/traffic';
import type { LoadedFiles } from './source.ts';

/** The rows of one file. */
export interface FileRows {
  readonly file: string;
  readonly rows: number;
  readonly unit: 'line' | 'row';
  /** One-based numbers of lines without a record. */
  readonly empty: readonly number[];
}

/** Returns the locations of rows that were loaded file by file. */
export function locatedRows(files: readonly FileRows[]): LoadedFiles {
  const starts: number[] = [];
  let total = 0;
  for (const { rows } of files) {
    starts.push(total);
    total += rows;
  }
  const locationOf = (row: number): RecordLocation => {
    const index = starts.findLastIndex((start, at) => start <= row && files[at]!.rows > 0);
    const { file, unit, empty } = files[index]!;
    const record = row - starts[index]! + 1;
    return { file, unit, number: record + emptyBefore(record, empty) };
  };
  const exchanges = new Map<string, number>();
  // A file may be named twice.
  for (const { file, rows } of files) exchanges.set(file, (exchanges.get(file) ?? 0) + rows);
  return { files: [...exchanges].map(([file, count]) => ({ file, exchanges: count })), locationOf };
}

/** Returns how many empty lines precede a record, by bisection. */
function emptyBefore(record: number, empty: readonly number[]): number {
  let [low, high] = [0, empty.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    // `middle` empty lines precede this one, and the others before it are records.
    if (empty[middle]! - middle <= record) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where in the recorded traffic something stands. */
export interface Place {
  /** As the user named it. */
  readonly file: string;
  /** One-based: the line of a log, the entry of a HAR file, the row of a table without those that could not be read. */
  readonly number: number;
  readonly unit: 'line' | 'entry' | 'row';
}

/** Gives `access.log:12` for a line, `browse.har#12` for an entry of a HAR file, and `log.parquet#12` for a row. */
export function formatPlace(place: Place): string {
  return `${place.file}${place.unit === 'line' ? ':' : '#'}${place.number}`;
}

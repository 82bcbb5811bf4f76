/** A location in recorded traffic. */
export interface RecordLocation {
  /** As the user named it. */
  readonly file: string;
  /** One-based: the line of a log, the entry of a HAR file, or the row of a table, not counting unreadable rows. 0 for a table on an engine. */
  readonly number: number;
  /** `table` for somewhere in a table on an engine, whose rows have no numbers. */
  readonly unit: 'line' | 'entry' | 'row' | 'table';
}

/** Formats a location: `access.log:12` for a line, `browse.har#12` for an entry of a HAR file, `log.parquet#12` for a row, `logs` for a table. */
export function formatLocation(place: RecordLocation): string {
  if (place.unit === 'table') return place.file;
  return `${place.file}${place.unit === 'line' ? ':' : '#'}${place.number}`;
}

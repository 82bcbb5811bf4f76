/** A location in recorded traffic. */
export interface RecordLocation {
  /** As the user named it. */
  readonly file: string;
  /** One-based: the line of a log, the entry of a HAR file, or the row of a table, not counting unreadable rows. */
  readonly number: number;
  readonly unit: 'line' | 'entry' | 'row';
}

/** Formats a location: `access.log:12` for a line, `browse.har#12` for an entry of a HAR file, `log.parquet#12` for a row. */
export function formatLocation(place: RecordLocation): string {
  return `${place.file}${place.unit === 'line' ? ':' : '#'}${place.number}`;
}

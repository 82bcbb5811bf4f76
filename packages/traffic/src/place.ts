/** Where in the recorded traffic something stands. */
export interface Place {
  /** As the user named it. */
  readonly file: string;
  /** One-based: the line of a log, the entry of a HAR file. */
  readonly number: number;
  readonly unit: 'line' | 'entry';
}

/** Gives `access.log:12` for a line, and `browse.har#12` for an entry of a HAR file. */
export function formatPlace(place: Place): string {
  return `${place.file}${place.unit === 'line' ? ':' : '#'}${place.number}`;
}

/** Where a pattern matches, in UTF-16 offsets. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** The text of a capturing group; 0 is the whole. Undefined for one that took no part. */
  readonly group: (index: number) => string | undefined;
}

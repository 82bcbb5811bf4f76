/** A match of a pattern, with UTF-16 offsets. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Returns the string that a capture group matched; 0 is the whole match. Undefined for a group that did not participate. */
  readonly group: (index: number) => string | undefined;
}

/** A half-open range `[start, end)` of a source, in UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A position for editors: zero-based line and UTF-16 column. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

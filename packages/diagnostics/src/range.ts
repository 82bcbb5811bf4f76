/** A half-open stretch `[start, end)` of a text, in UTF-16 offsets from its beginning. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A place for editors and people: zero-based line, zero-based UTF-16 column. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

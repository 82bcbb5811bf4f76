/** What the values of a column are. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'json' | 'time' | 'address';

/** A column of a table that is part of a query. */
export interface LookupColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
}

/** How an engine writes what the plan needs in its SQL. */
export interface Dialect {
  /** The name of the product. */
  readonly product: string;
  /** Quotes a string literal. */
  readonly text: (value: string) => string;
  /** Quotes an identifier. */
  readonly name: (value: string) => string;
  /** Returns what values of a type are; undefined if they are nothing that a field of an exchange could be. */
  readonly kindOf: (type: string) => ColumnKind | undefined;
  /**
   * Returns a value that is not null as a string: JSON for `json`, ms since 1970-01-01T00:00:00Z for `time`. Nothing but the string of a valid
   * value may result, because it is compared as such.
   */
  readonly asText: (sql: string, kind: ColumnKind) => string;
  /** Returns a time in ms since 1970-01-01T00:00:00Z, rounded down to an integer; null for none. */
  readonly epochMs: (sql: string) => string;
  /** Returns a number as a double. */
  readonly double: (sql: string) => string;
  /** Returns a double as an integer. */
  readonly integer: (sql: string) => string;
  /** Tests whether a string matches a pattern without backslashes, in syntax that all engines share. */
  readonly matches: (sql: string, pattern: string) => string;
  /** Returns the least of some lists of strings, in any order that is the same each time, as JSON. */
  readonly leastList: (strings: readonly string[]) => string;
  /** Returns a table of rows that the query contains, as an item of `from`. */
  readonly lookup: (alias: string, columns: readonly LookupColumn[], rows: readonly LookupRow[]) => string;
}

/** A row of {@link Dialect.lookup}. */
export type LookupRow = readonly (string | number)[];

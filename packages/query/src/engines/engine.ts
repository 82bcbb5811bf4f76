/** What the steps on tables need of an engine: a session, a dialect, and the errors that users see. */
import { ExternalError } from '@tollgate/diagnostics';
import type { StringSql } from '../questions/plain-forms.ts';

/** A row of a result. */
export type EngineRow = readonly (string | null)[];

/** The name and type of a column, in the words of the engine. */
interface EngineColumn {
  readonly name: string;
  readonly type: string;
}

/** A connection to an engine that holds traffic in tables. It only reads, unless it was opened to write. */
export interface EngineSession {
  readonly dialect: Dialect;
  /** Returns the columns of a query. */
  readonly describe: (sql: string) => Promise<readonly EngineColumn[]>;
  /** Yields the rows of a query in batches. */
  readonly batches: (sql: string) => AsyncGenerator<readonly EngineRow[]>;
  /** Runs a statement that writes; undefined for engines that cannot rename tables, and so would show incomplete ones. */
  readonly run?: (sql: string) => Promise<void>;
  /** Makes what was written visible to others; undefined if each statement is at once. */
  readonly commit?: () => Promise<void>;
  /** Stops the query that runs, on the engine. */
  readonly cancel: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** How long queries may be, in bytes; undefined if only memory limits them. */
  readonly longestQuery?: number | undefined;
  /** Bytes that all queries so far have scanned, where that is what users pay for. */
  readonly scannedBytes?: () => number;
}

/** What the values of a column are. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'json' | 'time' | 'address';

/** Members of a struct or an object in JSON. Their names are found also in lower case, and are null where they are missing. */
interface ColumnMembers {
  /** Returns a member as a string; undefined if the type has no such member. */
  readonly string: (name: string) => string | undefined;
  /** Returns a list of objects with `name` and `value`, without those with a value; undefined if the type has no such member. */
  readonly pairs: (name: string, exceptValue: string) => string | undefined;
}

/** Returns the name of a member as a type that lists members spells it. */
export function memberIn(type: string, name: string): string | undefined {
  return new RegExp(`[(<, "\`](${name})["\`]?[ :]`, 'i').exec(type)?.[1];
}

/** Intervals of a width in ms, the first of which begins at a time in ms. */
export interface EqualIntervals {
  readonly first: number;
  readonly width: number;
  readonly count: number;
}

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
  /** Returns the ms of a valid time in UTC between 1970 and 2200, as a string such as `2026-11-21T10:00:00` or with a blank. */
  readonly localMs: (sql: string) => string;
  /** Returns the integer in a string of digits. In a branch of `case` that is not taken, others may be strings of anything. */
  readonly digits: (sql: string) => string;
  /** Returns a time such as `2026-11-21T10:00:00.000Z` as a literal that columns of a type are compared with as they are. */
  readonly timeLiteral: (iso: string, type: string) => string;
  /** Returns an integer from 0 to 2⁶³ − 1 that depends on all of some strings: the same each time, and else as if drawn. */
  readonly hash: (strings: readonly string[]) => string;
  /** Returns the checksum of a string in UTF-8 as an integer (CRC-32, as zlib computes it); undefined if queries may be of any length. */
  readonly checksum?: (sql: string) => string;
  /** Returns a number as a double. */
  readonly double: (sql: string) => string;
  /** Returns a double as an integer. */
  readonly integer: (sql: string) => string;
  /** Tests whether a string matches a pattern without backslashes, in syntax that all engines share. */
  readonly matches: (sql: string, pattern: string) => string;
  /** Returns what the only group of such a pattern matches in a string that it matches. */
  readonly extract: (sql: string, pattern: string) => string;
  /** How the members of a column with structs or JSON are read; undefined if it has another type. */
  readonly members: (column: string, type: string) => ColumnMembers | undefined;
  /** Returns the least of some lists of strings, in any order that is the same each time, as JSON. */
  readonly leastList: (strings: readonly string[]) => string;
  /** How one query returns a record of each group next to its parts; undefined if another query has to find records. */
  readonly grouped?: {
    /** Whether records consist of encoded inputs; otherwise of columns as they are in the table. */
    readonly isOfStrings?: true;
    /** Returns some record as a value, from its columns. */
    readonly any: (columns: readonly string[]) => string;
    /** Returns a column of such a value; positions count from 0. */
    readonly columnIn: (record: string, at: number) => string;
    /** Returns pairs of integers as JSON. */
    readonly pairs: (one: string, other: string) => string;
    readonly json: (strings: readonly string[]) => string;
    /** How intervals are counted without grouping by them, if they are few; undefined if the engine cannot. */
    readonly byInterval?: {
      /** Returns how many records each interval has, as a value. */
      readonly counts: (time: string, intervals: EqualIntervals) => string;
      /** Returns pairs of the place of an interval, from 0, and its count as JSON, without those that are empty. */
      readonly pairs: (counts: string) => string;
    };
  };
  /** Whether grouping and joining values as they are in the table takes less time than encoded ones, even in a scan for each column. */
  readonly groupsRaw?: true;
  /** The end of a query whose columns are computed once, however often they are used. */
  readonly fence?: string;
  /** How the engine looks into strings; undefined if conditions are evaluated over distinct values instead. */
  readonly strings?: StringSql;
  /** Returns the code that belongs to a value as a string, or to an integer; undefined if only a join finds it. All codes are integers or strings. */
  readonly codeOf?: <Code extends string | number>(
    sql: string,
    codes: readonly (readonly [value: string | number, code: Code])[],
    rest: { readonly ofNull: Code; readonly ofOthers: Code },
  ) => string;
  /** How the engine finds the most frequent keys; undefined if it cannot. */
  readonly ranked?: {
    /** Returns the first pairs of `-count` and key, in their order, of rows that meet a condition, as JSON. */
    readonly pairs: (count: string, key: string, which: Ranked) => string;
    /** Whether that needs the rank of each row. */
    readonly needsRank?: true;
  };
  /** Returns the statement that makes a table with the rows of a query. */
  readonly tableOf: (table: string, query: string) => string;
  /** Returns the statement that renames a table. It fails if one has the new name. */
  readonly renamed: (table: string, to: string) => string;
  /** Returns the query that says whether a table exists; undefined if reading it says so. */
  readonly exists?: (table: string) => string;
  /** Returns a table of rows that the query contains, as an item of `from`. */
  readonly lookup: (alias: string, columns: readonly LookupColumn[], rows: readonly LookupRow[]) => string;
}

/** Which pairs of a count and a key are returned. */
interface Ranked {
  readonly most: number;
  readonly condition: string;
  /** The place of a pair among those that meet the condition, from 1, which come before all others. */
  readonly rank: string;
}

/** A row of {@link Dialect.lookup}. */
export type LookupRow = readonly (string | number)[];

/** How long a server may take to accept a connection, in s. */
export const CONNECT_TIMEOUT = 10;

/** Returns what is wrong with a server that does not accept a connection in time. */
export function notConnected(seconds: number): string {
  return `no connection within ${seconds} s`;
}

/** Returns the error of an engine that does not answer. */
export function unreachable(product: string, place: string, cause: unknown): ExternalError {
  const reason = reasonOf(cause);
  return new ExternalError('engine/unreachable', `cannot reach ${product} at ${place}: ${reason}`, { cause });
}

/** Returns the error of a query that an engine refused or did not finish. */
export function queryFailed(product: string, reason: string, cause?: unknown): ExternalError {
  return new ExternalError('engine/query-failed', `${product} failed: ${firstLine(reason)}`, { cause });
}

/** Returns the error of a table that cannot be read as traffic. */
export function unreadableTable(message: string): ExternalError {
  return new ExternalError('engine/unreadable-table', message);
}

/** Returns the error of an engine whose client is not installed. */
export function clientMissing(product: string, name: string): ExternalError {
  return new ExternalError(
    'engine/client-missing',
    `${product} needs the package \`${name}\`; install it next to Tollgate`,
  );
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.message === 'fetch failed'
    ? reasonOf(cause.cause)
    : firstLine(cause.message);
}

function firstLine(text: string): string {
  return text.split('\n')[0]!.trim();
}

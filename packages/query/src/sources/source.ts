import type { DuckDBValue } from '@duckdb/node-api';
import type { RecordLocation } from '@tollgate/traffic';
import type { FieldMapping } from '@tollgate/traffic/columns';
import type { ColumnLayout } from '../columns/column-record.ts';
import type { Session } from '../duckdb/session.ts';
import type { ParsedRecord } from './sample.ts';

/** Recordings of one format, whose records an engine loads into the columns of one table. */
export interface Source {
  readonly layout: ColumnLayout;
  readonly mapping: FieldMapping;
  /** Some records of the beginning, to find out what is read. */
  readonly sample: readonly ParsedRecord[];
  /**
   * Loads the inputs into the table `raw`, as columns named by {@link columnOf}, and the time in ms as the column `t`, in the order of the
   * traffic. The value of a time that nothing else reads is only kept if its form is unusual, in which case `t` is null.
   */
  readonly load: (session: Session, loading: LoadedInputs) => Promise<LoadedFiles>;
  /** Whether all columns can be read as strings without line breaks. */
  readonly isText: boolean;
  /** Returns the string that a column holds, in SQL; null where it holds something else, or a string that has to be decoded. */
  readonly textOf: (column: string) => string;
  /** Converts a value of a column to JSON data; undefined for none. */
  readonly decode: (value: DuckDBValue, input: number) => unknown;
}

/** Whether each header is a column, or the whole object of headers. */
export type HeaderColumns = 'each' | 'whole';

/** What was loaded. */
export interface LoadedFiles {
  readonly files: readonly { readonly file: string; readonly exchanges: number }[];
  /** Returns the location of a row of `raw`. */
  readonly locationOf: (row: number) => RecordLocation;
}

/** Returns the name of an input's column. */
export function columnOf(input: number): string {
  return `c${input}`;
}

/** What is loaded. */
export interface LoadedInputs {
  readonly inputs: readonly number[];
  /** Inputs that are expected to have no value in any row. The column `other` says whether one has. */
  readonly absent: readonly number[];
  /** Undefined if the recordings have no time. */
  readonly time: { readonly input: number; readonly isRead: boolean } | undefined;
}

/** Returns whether one of some values is not null, in SQL. */
export function anyOf(values: readonly string[]): string {
  return values.map(value => `${value} is not null`).join(' or ') || 'false';
}

/** Returns a query that adds the time to another. `usual` is the time in SQL, and null for a value of unusual form. */
export function withTime(query: string, time: LoadedInputs['time'], usual: string): string {
  if (time === undefined) return `select *, null::bigint as t from (${query})`;
  const timed = `select *, ${usual} as t from (${query})`;
  const column = columnOf(time.input);
  return time.isRead ? timed : `select * replace (case when t is null then ${column} end as ${column}) from (${timed})`;
}

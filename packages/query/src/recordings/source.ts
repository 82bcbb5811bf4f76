/** What JSON lines and Parquet files have in common: columns by input, samples of records, and the location of a row. */

import type { DuckDBValue } from '@duckdb/node-api';
import { singleQuoted } from '@tollgate/diagnostics';
import type { RecordLocation, SkippedRecord } from '@tollgate/traffic';
import {
  absenceOf,
  authorityIn,
  type FieldReading,
  headersInJson,
  isRecord,
  mayBeSeveral,
  REFUSALS,
  SINGLE_HEADERS,
  startIn,
  stringIn,
  TARGET_AUTHORITIES,
  unusualStatus,
  WHOLE,
} from '@tollgate/traffic/columns';
import type { InspectedFile } from '@tollgate/traffic-node';
import { type ColumnLayout, type Input, RepeatedHeader, UnsupportedQueryError } from './column-record.ts';
import type { Session } from './duckdb-session.ts';

/** Recordings of one format, whose records an engine loads into the columns of one table. */
export interface Source {
  readonly layout: ColumnLayout;
  readonly reading: FieldReading;
  /** The column of `raw` with the number of a row, from 0 in the order of the traffic. */
  readonly row: 'rowid' | 'rid';
  /** Some records of the beginning, to find out what is read. */
  readonly sample: readonly ParsedRecord[];
  /**
   * Makes the table or view `raw` with the inputs as columns named by {@link columnOf}, and the time in ms as the column `t`. The value of a time that nothing else reads is only kept if its form is unusual, in which case `t` is null.
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
type HeaderColumns = 'each' | 'whole';

/** What a run loads of recordings. */
export interface SourceOptions {
  readonly headers: HeaderColumns;
  /** Rows whose time is certainly not in it are left out; undefined if none are. */
  readonly range: TimeRange | undefined;
  /** The number of rows that show which columns have few values. */
  readonly firstRows: number;
}

/** What was loaded. */
export interface LoadedFiles {
  readonly files: readonly { readonly file: string; readonly exchanges: number; readonly skipped: number }[];
  /** Records that are not exchanges, in the order of the traffic. */
  readonly skipped: readonly SkippedRecord[];
  /** Returns the location of a row of `raw`. */
  readonly locationOf: (row: number) => RecordLocation;
  /** Inputs that were expected in no record and that few have: they are loaded too. */
  readonly found: readonly number[];
}

/** Returns the name of an input's column. */
export function columnOf(input: number): string {
  return `c${input}`;
}

/** What is loaded. */
export interface LoadedInputs {
  readonly inputs: readonly number[];
  /** Inputs that are expected to have no value in any row. The column `other` says which may have one; see {@link bitsOf}. */
  readonly absent: readonly number[];
  /** Undefined if the recordings have no time. */
  readonly time: { readonly input: number; readonly isRead: boolean } | undefined;
}

/** Limits of times in ms: from the first on, and before the second. */
export interface TimeRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Returns in SQL that a time is in a range; undefined if any is. `written` is how SQL writes a number of ms as such a time. */
export function inRange(
  time: string,
  { since, until }: TimeRange,
  written: (ms: number) => string = String,
): string | undefined {
  const limits = [
    since === undefined ? [] : `${time} >= ${written(atMs(since))}`,
    until === undefined ? [] : `${time} < ${written(atMs(until))}`,
  ].flat();
  return limits.length === 0 ? undefined : limits.join(' and ');
}

/** Times of rows are rounded down. */
function atMs(time: number): number {
  if (!Number.isSafeInteger(time))
    throw new UnsupportedQueryError('a limit of the selected times is not a number of milliseconds');
  return time;
}

/** Bits in an integer of DuckDB that shifts never overflow. */
const BITS = 60;

/** Returns which of some values are not null, in SQL, as an integer for {@link othersIn}. */
export function bitsOf(values: readonly string[]): string {
  return values.map((value, at) => `((${value} is not null)::bigint << ${at % BITS})`).join(' | ') || '0::bigint';
}

/** Returns the inputs of which the bits say that they may have values. */
export function othersIn(bits: bigint, absent: readonly number[]): readonly number[] {
  return absent.filter((_, at) => (bits >> BigInt(at % BITS)) % 2n === 1n);
}

/** Returns a query that adds the time to another. `usual` is the time in SQL, and null for a value of unusual form. */
export function withTime(query: string, time: LoadedInputs['time'], usual: string): string {
  if (time === undefined) return `select *, null::bigint as t from (${query})`;
  const timed = `select *, ${usual} as t from (${query})`;
  const column = columnOf(time.input);
  return time.isRead ? timed : `select * replace (case when t is null then ${column} end as ${column}) from (${timed})`;
}

/** Returns the authority of a whole URL in a string, in SQL; null if there is none. */
export function authorityInText(text: string, field: keyof typeof TARGET_AUTHORITIES): string {
  const pattern = singleQuoted(TARGET_AUTHORITIES[field]);
  return `case when regexp_matches(${text}, ${pattern}) then regexp_extract(${text}, ${pattern}, 1) end`;
}

/** What may surround a status: quotes where it stands in JSON. */
type Quote = '"?' | '';

/** Returns patterns of statuses that are usual, except for those of the second, in a syntax that engines share. */
export function statusPatterns(quote: Quote): { readonly usual: string; readonly except: string } {
  return { usual: `^${quote}[1-9][0-9][0-9]${quote}$`, except: `^${quote}(?:${[...REFUSALS].join('|')})${quote}$` };
}

/** Returns a status that is not usual in SQL, as it stands in a column; null for others. */
export function unusualStatusIn(value: string, quote: Quote): string {
  const { usual, except } = statusPatterns(quote);
  // With a list of constants, DuckDB makes a join, after which the rows of a file are not always in their order.
  const [isUsual, isExcept] = [usual, except].map(
    pattern => `regexp_matches(${value}::varchar, ${singleQuoted(pattern)})`,
  );
  return `case when ${isUsual} and not ${isExcept} then null else ${value} end`;
}

/** A record as JSON data. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** Returns the value of an input in a parsed record. */
export function valueIn(record: ParsedRecord, input: Input, layout: ColumnLayout): unknown {
  const memberOf = (name: string) => ownMember(record, name);
  if (input.kind === 'member') return memberOf(input.name);
  if (input.kind === 'authority') return authorityIn(memberOf(input.name), input.field);
  if (input.kind === 'unusual-status') return unusualStatus(memberOf(input.name));
  if (input.kind === 'others') return undefined;
  if (input.kind === 'start') {
    const values = input.times.map(memberOf).filter(value => (value ?? undefined) !== undefined);
    return startIn(values[0], undefined);
  }
  const held = memberOf(input.object);
  if (typeof held !== 'object' || held === null) return undefined;
  if (input.kind === 'presence') {
    const rules = { complete: layout.isComplete, absence: absenceOf(layout.signs, undefined) };
    const facts = headersInJson(held, rules, WHOLE);
    return facts?.complete || facts?.mayBeComplete ? true : undefined;
  }
  const value = headerIn(held, input.name);
  return input.kind === 'header' || value === undefined ? value : sentAs(input.name, value, layout);
}

function headerIn(held: object, lowerCase: string): unknown {
  if (Array.isArray(held)) {
    const own = held.filter(one => isRecord(one) && stringIn(one.name)?.toLowerCase() === lowerCase);
    return own.length === 0 ? undefined : new RepeatedHeader(own);
  }
  const own = Object.entries(held).filter(([name]) => name.toLowerCase() === lowerCase);
  return own.length > 1 ? new RepeatedHeader(Object.fromEntries(own)) : own[0]?.[1];
}

/** Returns whether the value of a header is one that was certainly sent. */
export function sentAs(name: string, value: unknown, { signs }: Pick<ColumnLayout, 'signs'>): 'one' | 'several' {
  if (typeof value === 'number') return 'one';
  if (Array.isArray(value)) return value.length === 1 && typeof value[0] === 'string' ? 'one' : 'several';
  const isOne = typeof value === 'string' && !signs.includes(value) && !mayBeSeveral(name, value);
  return isOne ? 'one' : 'several';
}

/** Returns {@link sentAs} of JSON in SQL, null for none. Escaped strings are left to the reader of exchanges. */
export function sentInJson(name: string, value: string, { signs }: Pick<ColumnLayout, 'signs'>): string {
  const unclear = signs.map(sign => `when ${value} = ${singleQuoted(JSON.stringify(sign))} then 'several'`).join(' ');
  const other = [
    `contains(${value}, '\\')`,
    ...(SINGLE_HEADERS.includes(name) ? [] : [`contains(${value}, ',')`]),
  ].join(' or ');
  return `case when ${value} is null then null ${unclear}
    when starts_with(${value}, '"') then if(${other}, 'several', 'one')
    when ascii(${value}) = 45 or ascii(${value}) between 48 and 57 then 'one'
    when regexp_full_match(${value}, '\\["[^"\\\\]*"\\]') then 'one' else 'several' end`;
}

/** Returns the value of a member; undefined if there is none. */
export function ownMember(record: ParsedRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The rows of one file. */
export interface FileRows {
  readonly file: string;
  readonly rows: number;
  /** Rows that were removed, because they are not exchanges. */
  readonly removed: number;
  readonly unit: 'line' | 'row';
  /** One-based numbers of lines without a record. */
  readonly empty: readonly number[];
  /** Those of the rows, and others, that are not exchanges. */
  readonly skipped: readonly SkippedRecord[];
}

/** Returns the locations of rows that were loaded file by file. */
export function locatedRows(files: readonly FileRows[], found: readonly number[] = []): LoadedFiles {
  const starts: number[] = [];
  let total = 0;
  for (const { rows } of files) {
    starts.push(total);
    total += rows;
  }
  const locationOf = (row: number): RecordLocation => {
    const index = starts.findLastIndex((start, at) => start <= row && files[at]!.rows > 0);
    const { file, unit, empty } = files[index]!;
    return { file, unit, number: lineOf(row - starts[index]!, empty) };
  };
  const counts = new Map<string, { exchanges: number; skipped: number }>();
  // A file may be named twice.
  for (const { file, rows, removed, skipped } of files) {
    const count = counts.get(file) ?? { exchanges: 0, skipped: 0 };
    counts.set(file, count);
    count.exchanges += rows - removed;
    count.skipped += skipped.length;
  }
  return {
    files: [...counts].map(([file, count]) => ({ file, ...count })),
    skipped: files.flatMap(({ skipped }) => skipped),
    ...{ locationOf, found },
  };
}

/** Returns the line of a row of a file. */
export function lineOf(row: number, empty: readonly number[]): number {
  return row + 1 + emptyBefore(row + 1, empty);
}

/** Returns how many empty lines precede a record, by bisection. */
function emptyBefore(record: number, empty: readonly number[]): number {
  let [low, high] = [0, empty.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    // `middle` empty lines precede this one, and the others before it are records.
    if (empty[middle]! - middle <= record) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns in SQL that a row has none of the fields that are read except for the time. Whether it has one that is not loaded is not known. */
export function saysNothing(
  layout: ColumnLayout,
  { inputs, time }: LoadedInputs,
  isMissing = (column: string) => `${column} is null`,
): string {
  const telling = inputs
    .filter(input => input !== time?.input)
    .map(input => {
      const isPresence = layout.inputs.all[input]!.kind === 'presence';
      return isPresence ? `not coalesce(${columnOf(input)}, false)` : isMissing(columnOf(input));
    });
  return telling.join(' and ') || 'true';
}

/** A file to load. */
export interface RecordingFile extends InspectedFile {
  /** As the user named it. */
  readonly file: string;
}

/** Returns the time of `2026-11-21T10:00:00.000Z`, with any decimals or none, or with `+00:00`, in SQL; null for anything else. Digits after milliseconds are cut off. */
export function isoTime(column: string, quote: '"' | ''): string {
  const cast = (length: number) =>
    `epoch_ms(try_cast(substring(${column}, ${quote.length + 1}, ${length}) as timestamp))`;
  const matches = (decimals: string) =>
    `regexp_full_match(${column}, ${singleQuoted(`${quote}${TO_SECONDS}${decimals}(?:Z|[+]00:00)${quote}`)})`;
  // Go writes nanoseconds without the zeros at their end.
  const few = [2, 1].map(digits => `when ${matches(`[.][0-9]{${digits}}`)} then ${cast(20 + digits)}`).join(' ');
  return `case when ${matches('[.][0-9]{3,9}')} then ${cast(23)} when ${matches('')} then ${cast(19)} ${few} end`;
}

/** Numbers of seconds, milliseconds and nanoseconds that are times after 1973, with the milliseconds of each in SQL. */
const UNIX_TIMES = [
  ['[0-9]{9,10}(?:[.][0-9]+)?', '* 1000'],
  ['[0-9]{12,13}(?:[.][0-9]+)?', ''],
  ['[0-9]{18,19}', '/ 1000000'],
] as const;

/** Returns in SQL, of JSON, the milliseconds of a time; if its form is unusual, a list of it. Null if there is none. Rounds as `startIn` does. */
export function startInJson(time: string): string {
  const rounded = (number: string) => `floor(${number} + 0.5)`;
  const unix = UNIX_TIMES.map(
    ([pattern, factor]) =>
      `when regexp_full_match(${time}, ${singleQuoted(pattern)}) then ${rounded(`${time}::double ${factor}`)}`,
  );
  const usual = `case when starts_with(${time}, '"') then ${isoTime(time, '"')} ${unix.join(' ')} end`;
  const start = `${rounded(`(${usual})`)}::bigint::varchar`;
  return `case when ${time} is not null then coalesce(${start}, '[' || ${time} || ']') end`;
}

/** From 1970 on. */
const TO_SECONDS = '(?:19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}';

/** The times of records in a table, in SQL: of columns with times, with numbers, and with strings, whose usual formats the engine parses. */
import { timeIn } from '@tollgate/traffic/columns';
import {
  type ColumnKind,
  type Dialect,
  type EngineSession,
  type LookupRow,
  unreadableTable,
} from '../engines/engine.ts';

/** A column that holds the time of records. */
export interface TimeColumn {
  /** Its value in SQL. */
  readonly sql: string;
  readonly kind: ColumnKind;
  /** Some of its values. */
  readonly sample: readonly unknown[];
  /** An item of `from`. */
  readonly from: string;
  /** The table, as the user named it. */
  readonly table: string;
  /** Returns a value of the column as {@link asKey} gives it, as JSON data. */
  readonly decode: (key: string) => unknown;
}

/** How a query finds out the time of records. */
export interface TimeSql {
  /** In terms of `records`; null if unknown. */
  readonly sql: string;
  /** An item of `from` that follows `records`, with its `left join`. */
  readonly join: string;
  /** A column of `records` that it takes, if it takes one: `column as ct`. */
  readonly column: string | undefined;
}

/** No time is known. */
export const UNTIMED: TimeSql = { sql: 'nullif(0, 0)', join: '', column: undefined };

/** Returns how queries find out the time of records. Strings that the engine cannot parse are read here, each distinct one once. */
export async function timeSql(session: EngineSession, column: TimeColumn): Promise<TimeSql> {
  const { dialect } = session;
  const parsed = parsedTime(dialect, column, 'records.ct');
  if (column.kind === 'time' || column.kind === 'number')
    return { sql: within('records.ct'), join: '', column: `${directTime(dialect, column)} as ct` };
  const rows = await otherTimes(session, column);
  const found = { join: '', column: `${asKey(dialect, column)} as ct` };
  if (rows.length === 0) return { ...found, sql: parsed };
  const columns = [
    { name: 'v', type: 'text' },
    { name: 't', type: 'integer' },
  ] as const;
  const join = `left join ${dialect.lookup('times', columns, rows)} on times.v = records.ct`;
  // Where nothing is joined, ClickHouse has empty strings.
  return { ...found, sql: `case when times.v = records.ct and times.v <> '' then times.t else ${parsed} end`, join };
}

/** The rows of a range of time, in SQL in terms of the table. */
export interface TimeRange {
  readonly isIn: string;
  readonly isUnknown: string;
}

/** A range of times in ms since 1970-01-01T00:00:00Z, without the last. */
export interface TimeLimits {
  readonly since?: number;
  readonly until?: number;
}

/** Returns which rows are in a range of time. Columns with times are compared as they are, so that the engine reads only the partitions that it needs. */
export async function timeRange(
  session: EngineSession,
  column: TimeColumn & { readonly type: string },
  limits: TimeLimits,
): Promise<TimeRange> {
  const { dialect } = session;
  if (column.kind === 'time') {
    const limit = (ms: number) => dialect.timeLiteral(new Date(ms).toISOString(), column.type);
    return { isIn: comparisons(column.sql, limits, limit), isUnknown: `${column.sql} is null` };
  }
  const time = column.kind === 'number' ? directTime(dialect, column) : parsedTime(dialect, column, column.sql);
  const others = column.kind === 'number' ? [] : await otherTimes(session, column);
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = limits;
  const key = asKey(dialect, column);
  const listed = (rows: readonly LookupRow[]) =>
    rows.length === 0 ? '' : ` or ${key} in (${rows.map(([value]) => dialect.text(String(value))).join(', ')})`;
  const inRange = others.filter(([, ms]) => Number(ms) >= since && Number(ms) < until);
  return {
    isIn: `(${comparisons(`(${time})`, limits, String)}${listed(inRange)})`,
    isUnknown: `(${time}) is null and not (1 = 0${listed(others)})`,
  };
}

function comparisons(sql: string, { since, until }: TimeLimits, literal: (ms: number) => string): string {
  const all = [
    ...(since === undefined ? [] : [`${sql} >= ${literal(since)}`]),
    ...(until === undefined ? [] : [`${sql} < ${literal(until)}`]),
  ];
  return `(${all.join(' and ')})`;
}

/** The limit of JavaScript dates. */
const MAX_TIME = 8.64e15;

function within(sql: string): string {
  return `case when ${sql} between -${MAX_TIME} and ${MAX_TIME} then ${sql} end`;
}

function directTime(dialect: Dialect, { sql, kind }: TimeColumn): string {
  return kind === 'time' ? dialect.epochMs(sql) : numericTime(dialect, sql);
}

/** Numbers are seconds, milliseconds, microseconds or nanoseconds, as in the readers of recordings. */
function numericTime({ double, integer }: Dialect, sql: string): string {
  const number = double(sql);
  const rounded = (value: string) => integer(`floor(${value} + 0.5)`);
  return `case when ${number} > 0 and ${number} < 1e11 then ${rounded(`${number} * 1000`)}
    when ${number} >= 1e11 and ${number} < 1e14 then ${rounded(number)}
    when ${number} >= 1e14 and ${number} < 1e17 then ${rounded(`${number} / 1000`)}
    when ${number} >= 1e17 and ${number} < 1e20 then ${rounded(`${number} / 1000000`)} end`;
}

/** Returns the string of a time, null for none. */
function asKey({ asText }: Dialect, { sql, kind }: TimeColumn): string {
  return `case when ${sql} is not null then ${asText(sql, kind)} end`;
}

/** Returns the time of a string; null if it has none of the formats that are parsed, or only in JSON. */
function parsedTime(dialect: Dialect, { kind, sample }: TimeColumn, text: string): string {
  if (kind !== 'text') return 'null';
  const texts = sample.flatMap(value => (typeof value === 'string' ? value : []));
  const parsed = [
    isoTime(dialect, text),
    ...(texts.some(value => LOG_TIME.test(value)) ? [logTime(dialect, text)] : []),
    ...(texts.some(value => NUMBER.test(value)) ? [numberTextTime(dialect, text)] : []),
  ];
  return parsed.length === 1 ? parsed[0]! : `coalesce(${parsed.join(', ')})`;
}

const NUMBER = /^\d+(?:\.\d+)?$/;
const LOG_TIME = /^\[?\d\d\/[A-Z][a-z][a-z]\/\d{4}:/;

/** More are not worth it: a time of another format can be an expression. */
const MAX_OTHERS = 100_000;

/** Returns the times of strings that the engine cannot parse. */
async function otherTimes(session: EngineSession, column: TimeColumn): Promise<readonly LookupRow[]> {
  const { dialect, batches } = session;
  const { from, table, decode } = column;
  const key = asKey(dialect, column);
  const parsed = parsedTime(dialect, { ...column, sql: 'v' }, 'v');
  const others = `select v, ${parsed} as t from (select ${key} as v from ${from}) texts`;
  const rows: LookupRow[] = [];
  let count = 0;
  for await (const batch of batches(
    `select distinct v from (${others}) others where t is null and v is not null limit ${MAX_OTHERS + 1}`,
  ))
    for (const [value] of batch) {
      if (++count > MAX_OTHERS)
        throw unreadableTable(
          `\`${table}\` has over ${MAX_OTHERS} different times in no format that ${dialect.product} parses, such as \`${value}\`; map \`time\` to an expression with a time, under \`sql\` in a mapping`,
        );
      const time = timeIn(decode(value!));
      if (time !== undefined && Math.abs(time) <= MAX_TIME) rows.push([value!, Math.floor(time)]);
    }
  return rows;
}

const DATE =
  '(?:(?:19[7-9][0-9]|2[01][0-9][0-9])-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)' +
  // Leap days. 2100 has none.
  '|(?:19(?:7[26]|8[048]|9[26])|20(?:[02468][048]|[13579][26])|21(?:0[48]|[2468][048]|[13579][26]))-02-29)';

/** From 1970 to 2199, which all engines know: those dates that exist. */
const ISO_TIME = `^${DATE}[T ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.,][0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-3]):?[0-5][0-9])?$`;

const DIGITS = "('0', '1', '2', '3', '4', '5', '6', '7', '8', '9')";

/** Returns the time of a string such as `2026-11-21T10:00:00.123456+01:00`, and null for any other. */
function isoTime({ matches, localMs, digits, text }: Dialect, sql: string): string {
  const part = (at: number | string, length: number) => `substr(${sql}, ${at}, ${length})`;
  const fromEnd = (distance: number, length: number) => part(`length(${sql}) - ${distance}`, length);
  const fraction = `case when ${part(20, 1)} not in ('.', ',') then 0
    when ${part(22, 1)} not in ${DIGITS} then 100 * ${digits(part(21, 1))}
    when ${part(23, 1)} not in ${DIGITS} then 10 * ${digits(part(21, 2))} else ${digits(part(21, 3))} end`;
  const minutes = (sign: string, distance: number) =>
    `${sign}(60 * ${digits(fromEnd(distance, 2))} + ${digits(fromEnd(1, 2))})`;
  const offset = `case when ${fromEnd(0, 1)} = 'Z' then 0
    when ${fromEnd(5, 1)} = '+' then ${minutes('', 4)} when ${fromEnd(5, 1)} = '-' then ${minutes('-', 4)}
    when ${fromEnd(4, 1)} = '+' then ${minutes('', 3)} when ${fromEnd(4, 1)} = '-' then ${minutes('-', 3)} else 0 end`;
  // Some engines accept a line break before the end of a pattern.
  const isIso = `${matches(sql, ISO_TIME)} and ${fromEnd(0, 1)} <> ${text('\n')}`;
  return `case when ${isIso} then ${localMs(part(1, 19))} + ${fraction} - 60000 * (${offset}) end`;
}

const LOG_SHAPE = '__/___/____:__:__:__ _____';

/** Returns the time of a string such as `21/Nov/2026:10:00:00 +0000`, also in brackets, and null for any other. */
function logTime({ matches, localMs, digits }: Dialect, sql: string): string {
  const branch = (shape: string, start: number) => {
    const part = (at: number, length: number) => `substr(${sql}, ${at + start}, ${length})`;
    const month = `position(${part(4, 3)} in 'JanFebMarAprMayJunJulAugSepOctNovDec')`;
    const number = `substr('01 02 03 04 05 06 07 08 09 10 11 12', ${month}, 2)`;
    const local = [part(8, 4), "'-'", number, "'-'", part(1, 2), "'T'", part(13, 8)].join(', ');
    const isValid = `${sql} like '${shape}' and ${month} > 0 and ${matches(`concat(${local}, ${part(22, 5)})`, ISO_TIME)}`;
    const offset = `case when ${part(22, 1)} = '-' then -1 else 1 end * (60 * ${digits(part(23, 2))} + ${digits(part(25, 2))})`;
    return `when ${isValid} then ${localMs(`concat(${local})`)} - 60000 * ${offset}`;
  };
  return `case ${branch(LOG_SHAPE, 0)} ${branch(`[${LOG_SHAPE}]`, 1)} end`;
}

/** Returns the time of a number in a string, null for others and for numbers whose digits a double cannot hold. */
function numberTextTime(dialect: Dialect, sql: string): string {
  const { matches, digits, text } = dialect;
  const [seconds, fraction] = [`substr(${sql}, 1, length(${sql}) - 4)`, `substr(${sql}, length(${sql}) - 2, 3)`];
  const isNumber = matches(sql, '^(?:[1-9][0-9]{0,14}|[1-9][0-9]{0,9}[.][0-9][0-9][0-9])$');
  return `case when not (${isNumber}) or substr(${sql}, length(${sql}), 1) = ${text('\n')} then null
    when ${sql} like '%.___' then ${digits(seconds)} * 1000 + ${digits(fraction)} else ${numericTime(dialect, digits(sql))} end`;
}

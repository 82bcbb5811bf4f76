/** Parquet files as columns of DuckDB. */

import { quotedName, singleQuoted } from '@tollgate/diagnostics';
import type { ReadTrafficOptions } from '@tollgate/traffic';
import {
  type FieldMapping,
  type FieldReading,
  isReadColumn,
  readingOf,
  SINGLE_HEADERS,
  withHeaderColumns,
} from '@tollgate/traffic/columns';
import { cellOf } from '@tollgate/traffic/reading';
import { bytesIn, createPlainValue } from '@tollgate/traffic-node';
import { type ColumnLayout, type Input, Inputs, UnsupportedQueryError } from './column-record.ts';
import type { Session } from './duckdb-session.ts';
import {
  authorityInText,
  bitsOf,
  columnOf,
  type FileRows,
  inRange,
  isoTime,
  type LoadedInputs,
  locatedRows,
  type ParsedRecord,
  type RecordingFile,
  type Source,
  type SourceOptions,
  saysNothing,
  type TimeRange,
  unusualStatusIn,
  withTime,
} from './source.ts';

/** Rows to find out what is read. */
const SAMPLE = 1000;

/** Bytes of a row. DuckDB holds at least 2,048 rows at once for each of several steps, whatever its limit of memory. */
const LONGEST = 32 * 1024;

const TOO_LONG = `a record has more than ${LONGEST} bytes`;

/** Returns a condition that is true, and ends a query at a row whose values have too many bytes. */
function shortRows(bytes: readonly string[]): string {
  return `case when ${bytes.join(' + ') || '0'} > ${LONGEST} then error(${singleQuoted(TOO_LONG)})::boolean else true end`;
}

async function refuseLong<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (error instanceof Error && error.message.includes(TOO_LONG)) throw new UnsupportedQueryError(TOO_LONG);
    throw error;
  }
}

/** Returns the bytes of an input, in SQL; undefined if they are few. */
function bytesOf(number: number, { all }: Inputs, columns: ColumnTypes): string | undefined {
  const input = all[number]!;
  if (input.kind === 'presence' || input.kind === 'sent') return undefined;
  return bytesIn(columnOf(number), input.kind === 'member' ? (columns.get(input.name) ?? '') : 'VARCHAR');
}

/** Opens Parquet files. */
export async function openParquet(
  session: Session,
  files: readonly RecordingFile[],
  { mapping = {}, headers, range }: ReadTrafficOptions & SourceOptions,
): Promise<Source> {
  if (files.some(({ compression }) => compression !== 'uncompressed'))
    throw new UnsupportedQueryError('a Parquet file is compressed as a whole');
  const columns = await columnsIn(session, files);
  const structs = [...columns].filter(([, type]) => type.startsWith('STRUCT')).map(([name]) => name);
  const reading = readingOf(withHeaderColumns(mapping, [...columns.keys()]));
  const objects = new Set(
    ['request_headers', 'response_headers']
      .flatMap(reading.pathsOf)
      .filter(path => headers === 'each' && structs.includes(path)),
  );
  const fields = new Map<string, readonly string[]>();
  for (const object of objects) {
    const found = await session.rows(`describe select ${quotedName(object)}.* from ${fromOf(files[0]!.file)}`);
    fields.set(
      object,
      found.map(([name]) => String(name)),
    );
  }
  const layout: ColumnLayout = {
    ...{ inputs: new Inputs(), objects },
    ...{ signs: reading.signs, isComplete: mapping.completeHeaders ?? false },
  };
  const plain = createPlainValue(session.library);
  const asData = (name: string, value: Parameters<typeof plain>[0]) => {
    const data = plain(value) ?? undefined;
    return cellOf(name, data);
  };
  return {
    ...{ layout, reading, row: 'rid' },
    sample: await sampleOf(session, files[0]!, { columns, mapping, asData }),
    decode: (value, number) => {
      const input = layout.inputs.all[number]!;
      if (input.kind === 'presence') return value === true ? true : undefined;
      if (input.kind === 'sent') return value ?? undefined;
      return asData(input.kind === 'member' ? input.name : '', value);
    },
    isText: false,
    textOf: column => `case when typeof(${column}) = 'VARCHAR' then ${column}::varchar end`,
    load: async (session, loading) => {
      const { inputs, absent, time } = loading;
      if (columns.has(ROW_NUMBER)) throw new UnsupportedQueryError(`a column is named \`${ROW_NUMBER}\``);
      const valueIn = (number: number) => expressionOf(layout.inputs.all[number]!, { columns, fields, layout });
      const usual = time ? timeOf(columnOf(time.input), typeOf(layout.inputs.all[time.input]!, columns)) : '';
      const others = bitsOf(absent.map(number => `(${valueIn(number)})`));
      const list = [...inputs.map(number => `${valueIn(number)} as ${columnOf(number)}`), `${others} as other`].join(
        ', ',
      );
      const silent = saysNothing(layout, loading);
      const loaded: FileRows[] = [];
      const parts: string[] = [];
      let before = 0;
      for (const { file } of files) {
        const isTold = range && (await timesInGroups(session, { file, columns, range, reading, layout, loading }));
        const where = isTold === undefined ? '' : ` where ${isTold}`;
        const all = `select ${list}, ${before} + ${ROW_NUMBER} as rid from ${fromOf(file)}${where}`;
        const outside = range
          ? ` where not coalesce(not (${inRange('t', range)}) and other = 0 and not (${silent}), false)`
          : '';
        parts.push(`select * from (${withTime(all, time, usual)})${outside}`);
        const [[count] = []] = await session.rows(`select count(*) from ${fromOf(file)}`);
        loaded.push({ file, rows: Number(count), removed: 0, unit: 'row', empty: [], skipped: [] });
        before += Number(count);
      }
      await session.run(`create or replace view raw as ${parts.join(' union all ')}`);
      const long = inputs.flatMap(number => bytesOf(number, layout.inputs, columns) ?? []);
      const counting = session.rows(`select count_if(${silent}) from raw where ${shortRows(long)}`);
      const [[silentRows] = []] = await refuseLong(counting);
      if (Number(silentRows) > 0) throw new UnsupportedQueryError('some records have none of the fields that are read');
      return locatedRows(loaded);
    },
  };
}

/** The number of a row in its file, to DuckDB. */
const ROW_NUMBER = 'file_row_number';

interface TimedFile {
  readonly file: string;
  readonly columns: ColumnTypes;
  readonly range: TimeRange;
  readonly reading: FieldReading;
  readonly layout: ColumnLayout;
  readonly loading: LoadedInputs;
}

/**
 * Returns in SQL that a recorded time is in a range, which spares DuckDB the groups of rows that have no such time; undefined unless the statistics
 * of the file show that all rows are exchanges with a usual time.
 */
async function timesInGroups(
  session: Session,
  { file, columns, range, reading, layout, loading: { inputs, time } }: TimedFile,
): Promise<string | undefined> {
  const nameOf = (number: number) => {
    const input = layout.inputs.all[number]!;
    return input.kind === 'member' ? input.name : undefined;
  };
  const timed = time && nameOf(time.input);
  const isOnly = reading.pathsOf('time').filter(name => columns.has(name)).length === 1;
  if (timed === undefined || !isOnly || !columns.get(timed)?.startsWith('TIMESTAMP')) return undefined;
  const statistics =
    await session.rows(`select path_in_schema, bool_and(coalesce(try_cast(stats_min_value as timestamp) >= ${singleQuoted(FIRST)} and try_cast(stats_max_value as timestamp) < ${singleQuoted(LAST)}, false))
    from parquet_metadata(${singleQuoted(file)}) group by all having bool_and(coalesce(stats_null_count = 0, false))`);
  const isUsual = new Map(statistics.map(([name, usual]) => [String(name), usual === true]));
  const telling = inputs.filter(number => number !== time?.input).map(nameOf);
  if (isUsual.get(timed) !== true || !telling.some(name => isUsual.has(name ?? ''))) return undefined;
  return inRange(quotedName(timed), range, ms => `epoch_ms(${ms})`);
}

function fromOf(file: string): string {
  return `read_parquet(${singleQuoted(file)}, hive_partitioning = false, binary_as_string = true)`;
}

type ColumnTypes = ReadonlyMap<string, string>;

/** Returns the type of each column. All files must have the same. */
async function columnsIn(session: Session, files: readonly RecordingFile[]): Promise<ColumnTypes> {
  const all: string[] = [];
  let columns: ColumnTypes = new Map();
  for (const { file } of files) {
    const rows = await session.rows(`describe select * from ${fromOf(file)}`);
    columns = new Map(rows.map(([name, type]) => [String(name), String(type)]));
    all.push(JSON.stringify([...columns]));
  }
  if (new Set(all).size > 1) throw new UnsupportedQueryError('the Parquet files have different columns');
  return columns;
}

interface Sampling {
  readonly columns: ColumnTypes;
  readonly mapping: FieldMapping;
  readonly asData: (name: string, value: Parameters<ReturnType<typeof createPlainValue>>[0]) => unknown;
}

async function sampleOf(
  session: Session,
  { file }: RecordingFile,
  { columns, mapping, asData }: Sampling,
): Promise<readonly ParsedRecord[]> {
  const names = [...columns.keys()].filter(name => isReadColumn(name, mapping));
  if (names.length === 0) throw new UnsupportedQueryError('no column is read');
  const list = names.map(quotedName);
  const long = names.flatMap(name => bytesIn(quotedName(name), columns.get(name)!) ?? []);
  const rows = await refuseLong(
    session.rows(`select ${list.join(', ')} from ${fromOf(file)} where ${shortRows(long)} limit ${SAMPLE}`),
  );
  return rows.map(row => Object.fromEntries(names.map((name, at) => [name, asData(name, row[at]!)])));
}

interface ParquetColumns {
  readonly columns: ColumnTypes;
  /** The names in structs of headers. Their case-insensitive names are distinct in DuckDB. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly layout: ColumnLayout;
}

/** Returns a column's value in SQL. A struct without values is one without headers. */
function expressionOf(input: Input, { columns, fields: all, layout }: ParquetColumns): string {
  if (input.kind === 'member') return columns.has(input.name) ? quotedName(input.name) : 'null';
  if (input.kind === 'authority')
    return columns.has(input.name) ? authorityInText(`${quotedName(input.name)}::varchar`, input.field) : 'null';
  if (input.kind === 'unusual-status')
    return columns.has(input.name) ? unusualStatusIn(quotedName(input.name), '') : 'null';
  // Only servers have these, and their logs are JSON.
  if (input.kind === 'start' || input.kind === 'others') return 'null';
  const object = quotedName(input.object);
  const fields = all.get(input.object)!;
  if (input.kind === 'presence')
    return fields.map(field => `${object}.${quotedName(field)} is not null`).join(' or ') || 'false';
  const field = fields.find(name => name.toLowerCase() === input.name);
  const value = field === undefined ? 'null' : `${object}.${quotedName(field)}`;
  if (input.kind === 'header') return value;
  // Only strings are certainly one value, and those that may stand for none or for several are not.
  const signs = layout.signs.map(sign => `${value}::varchar <> ${singleQuoted(sign)}`);
  const whole = SINGLE_HEADERS.includes(input.name) ? [] : [`not contains(${value}::varchar, ',')`];
  const isOne = [`typeof(${value}) = 'VARCHAR'`, ...signs, ...whole].join(' and ');
  return `case when ${value} is null then null when ${isOne} then 'one' else 'several' end`;
}

function typeOf(input: Input, columns: ColumnTypes): string {
  return input.kind === 'member' ? (columns.get(input.name) ?? '') : '';
}

/** Times before 1970 are left to the reader of exchanges, and those that do not fit in nanoseconds. */
const [FIRST, LAST] = ['1970-01-02', '2262-01-01'];

function timeOf(column: string, type: string): string {
  if (type.startsWith('TIMESTAMP'))
    return `case when ${column} >= '${FIRST}' and ${column} < '${LAST}' then epoch_ms(${column}) end`;
  return type === 'VARCHAR' ? isoTime(column, '') : 'null::bigint';
}

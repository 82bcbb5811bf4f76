/** What the steps of a replay on a table share: the plan of what is read, and the records as common table expressions. */
import type { Stage } from '@tollgate/compile';
import { MAX_BUCKETS, WIDTHS } from '@tollgate/simulator';
import type { EngineRow, EngineSession } from '../engines/engine.ts';
import type { Question } from '../questions/questions.ts';
import { type Decided, decisiveInputs } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import { type TimeSql, UNTIMED } from './record-times.ts';
import { type PlainColumn, plainColumns, type ScanContext } from './scanned-conditions.ts';
import { NOTHING } from './table-source.ts';

/** The intervals by which records are counted. */
export interface Intervals {
  /** In ms. */
  readonly width: number;
  /** The start of the first one. */
  readonly first: number;
  /** How many there are up to the last one with a record. */
  readonly count: number;
  /** The number of records with a time; undefined if it is not known yet. */
  readonly timed: number | undefined;
  /** Whether each group is counted by interval; otherwise each kind is, because there are too many groups. */
  readonly areByGroup: boolean;
}

/** What the steps of a replay on a table share. */
export interface TableContext<Found extends Decided = Decided> extends ScanContext<Found> {
  /** Whether rows that hold no field at all are left out, because there are some. */
  readonly skipsEmpty: boolean;
  /** Inputs in the columns of `records`. */
  loaded: readonly number[];
  /** What the engine evaluates itself, by the inputs that it depends on. */
  plain: ReadonlyMap<string, PlainColumn>;
  /** The time of a record in ms, in SQL in terms of the table, and what it joins. */
  time: TimeSql;
  /** Undefined if no figure depends on the time. */
  intervals: Intervals | undefined;
  /** The question that selects records, if not all of them are reported. */
  readonly selecting: Question | undefined;
}

/** Sets which inputs are loaded. Those that the table lacks are constantly unknown. */
export async function planInputs(context: TableContext): Promise<void> {
  const { source, questions, judgeReads, selecting } = context;
  const missing = source.layout.inputs.all.flatMap((_, input) => (source.kindOf(input) === undefined ? [input] : []));
  context.constant = new Map(missing.map(input => [input, undefined]));
  const readings = [...questions.map(({ reads }) => reads), judgeReads];
  // The conditions are the first questions. What is only counted or listed may be unknown.
  const conditions = [...questions.slice(0, context.leaves.leaves.length), ...(selecting ? [selecting] : [])];
  for (const reads of [...conditions.map(one => one.reads), judgeReads]) reads.forEach(source.requireReadable);
  const needed = new Set(readings.flatMap(reads => decisiveInputs(context, reads)));
  context.loaded = [...needed].sort((a, b) => a - b);
  context.plain = await plainColumns(context);
}

/**
 * Returns the common table expression `records`: the encoded inputs as columns, the time as `ct`, and what the engine evaluates itself.
 *
 * @param more other columns, in SQL in terms of the table
 */
export function recordsSql(
  { session, loaded, source, time, skipsEmpty, plain }: TableContext,
  isScanned: boolean,
  more: readonly string[] = [],
): string {
  const scanned = isScanned ? [...plain.values()] : [];
  const columns = loaded.map(input => `${source.valueOf(input)} as ${columnOf(input)}`);
  const texts = scanned.map(({ text }) => text);
  const hasRaw = isScanned || session.dialect.groupsRaw === true;
  const raw = loaded.map(input => `${source.rawOf(input)} as ${rawColumnOf(input)}`);
  const list = [
    ...columns,
    ...(hasRaw ? raw : []),
    ...more,
    `${emptySql(loaded.map(input => source.rawOf(input)))} as e`,
    ...texts,
    ...(time.column === undefined ? [] : [time.column]),
  ];
  const where = skipsEmpty ? ` where not (${isEmptySql(source.values)})` : '';
  const given = (name: string) => `${name} as (select ${list.join(', ') || '1 as one'} from ${source.from}${where})`;
  const stages = inStages(scanned.map(one => one.stages));
  if (stages.length === 0) return given('records');
  const names = ['given', ...stages.map((_, at) => (at === stages.length - 1 ? 'records' : `stage${at}`))];
  const { fence } = session.dialect;
  const tables = stages.map((stage, at) => {
    const added = stage.map(([name, sql]) => `${sql} as ${name}`).join(', ');
    return `${names[at + 1]} as (select *, ${added} from ${names[at]}${fence === undefined ? '' : ` ${fence}`})`;
  });
  return [given('given'), ...tables].join(', ');
}

/** Returns the common table expressions up to `records`. */
export function withRecords(context: TableContext): string {
  return `with ${recordsSql(context, true)}`;
}

/** Returns the column with the value of an input as it is in the table, where the engine evaluates conditions itself. */
export function rawColumnOf(input: number): string {
  return `y${input}`;
}

/** Columns with all values that hold fields, for {@link recordsSql}, and their names. */
export function wholeColumns({ source }: TableContext): {
  readonly sql: readonly string[];
  readonly names: readonly string[];
} {
  const names = source.values.map((_, at) => `whole${at}`);
  return { names, sql: source.values.map((value, at) => `${value} as ${names[at]}`) };
}

/** Joins the stages of several columns. */
function inStages(all: readonly (readonly Stage[])[]): readonly Stage[] {
  const count = Math.max(0, ...all.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) => all.flatMap(stages => stages[at] ?? []));
}

/** Returns 1 if values are all null, and otherwise 0, in SQL. */
function emptySql(values: readonly string[]): string {
  return `case when ${values.map(value => `${value} is null`).join(' and ') || '1 = 1'} then 1 else 0 end`;
}

/** Returns whether encoded values are all null, in SQL. */
export function isEmptySql(values: readonly string[]): string {
  return values.map(value => `${value} = '${NOTHING}'`).join(' and ') || '1 = 0';
}

/** Two queries saw other rows, so that no figure is right: rows came or went, or the table is a query with a random result. */
export class TableChanged extends Error {}

/** Queries of engines without snapshots see rows that were added in between, and those of a `limit` may be others each time. */
export function requireSame(before: number, after: number): void {
  if (before !== after) throw new TableChanged();
}

/** Returns all rows of a small result. */
export async function rowsOf(session: EngineSession, sql: string): Promise<readonly EngineRow[]> {
  const all: EngineRow[] = [];
  for await (const rows of session.batches(sql)) all.push(...rows);
  return all;
}

/**
 * Returns the shortest intervals that are few enough. If records are selected, they are only known with `results`, common table expressions for each
 * part of the records, in which those of no kind are left out.
 */
export async function intervalsOf(context: TableContext, results?: readonly string[]): Promise<Intervals> {
  const { session, time, combinations, thresholds, selecting } = context;
  const areByGroup = selecting === undefined && combinations.size <= thresholds.combinations;
  if (selecting !== undefined && results === undefined && time !== UNTIMED)
    return { width: WIDTHS[0]!, first: 0, count: 0, timed: undefined, areByGroup };
  const timed = results
    ? results.map(one => `${one}, timed as (select t from results where kind > 0)`)
    : [`with ${recordsSql(context, false)}, timed as (select ${time.sql} as t from records ${time.join})`];
  const found: EngineRow[] = [];
  const ask = async (list: string) => {
    for (const one of timed) found.push(...(await rowsOf(session, `${one} ${list}`)));
    return found.splice(0);
  };
  const ranges = time === UNTIMED ? [] : await ask('select min(t), max(t), count(t) from timed');
  const some = ranges.filter(([, , count]) => Number(count) > 0);
  if (some.length === 0) return { width: WIDTHS[0]!, first: 0, count: 0, timed: 0, areByGroup };
  const from = Math.min(...some.map(([least]) => Number(least)));
  const to = Math.max(...some.map(([, most]) => Number(most)));
  const count = some.reduce((sum, [, , own]) => sum + Number(own), 0);
  const isFew = (width: number) => Math.floor(to / width) - Math.floor(from / width) < MAX_BUCKETS;
  let step = WIDTHS.findIndex(isFew);
  if (step < 0) step = WIDTHS.length - 1;
  // Few of the intervals may have exchanges.
  for (; step > 0; step--) {
    const start = startSql('t', WIDTHS[step - 1]!);
    const starts = await ask(
      `select distinct ${start} as start from timed where t is not null limit ${MAX_BUCKETS + 1}`,
    );
    if (new Set(starts.map(([one]) => one)).size > MAX_BUCKETS) break;
  }
  const width = WIDTHS[step]!;
  const [first, last] = [from, to].map(time => Math.floor(time / width));
  return { width, first: first! * width, count: last! - first! + 1, timed: count, areByGroup };
}

/** Returns the start of the interval of a time, in SQL. The remainder has the sign of the time. */
export function startSql(time: string, width: number): string {
  return `${time} - (${time} % ${width} + ${width}) % ${width}`;
}

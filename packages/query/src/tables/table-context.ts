import type { EngineRow, EngineSession } from '../engines/engine-session.ts';
import { type AskingContext, type Decided, tellingInputs } from '../plan/run-context.ts';
import { columnOf } from '../sources/source.ts';
import { NOTHING } from './encoded-value.ts';
import type { TableSource } from './table-source.ts';

/** What the steps of a replay on a table share. */
export interface TableContext<Found extends Decided = Decided> extends AskingContext<Found> {
  readonly session: EngineSession;
  readonly source: TableSource;
  /** Whether rows that hold no field at all are left out, because there are some. */
  readonly skipsEmpty: boolean;
  /** Inputs in the columns of `records`. */
  loaded: readonly number[];
  /** The time of a record in ms, in SQL in terms of the table, and what it joins. */
  time: TimeSql;
}

/** How a query finds out the time of records. */
export interface TimeSql {
  /** In terms of `records`; null if unknown. */
  readonly sql: string;
  /** An item of `from` that follows `records`, with its `left join`. */
  readonly join: string;
  /** A column of `records` with the string of the time, if it takes one: `column as ct`. */
  readonly column: string | undefined;
}

/** Sets which inputs are loaded. Those that the table lacks are constantly unknown. */
export function planInputs(context: TableContext): void {
  const { source, questions, judgeReads } = context;
  const missing = source.layout.inputs.all.flatMap((_, input) => (source.kindOf(input) === undefined ? [input] : []));
  context.constant = new Map(missing.map(input => [input, undefined]));
  const readings = [...questions.map(({ reads }) => reads), judgeReads];
  const needed = new Set(readings.flatMap(reads => tellingInputs(context, reads)));
  context.loaded = [...needed].sort((a, b) => a - b);
}

/** Returns the common table expression `records`: the encoded inputs as columns, and the time as `t`. */
export function recordsSql({ loaded, source, time, skipsEmpty }: TableContext): string {
  const columns = loaded.map(input => `${source.valueOf(input)} as ${columnOf(input)}`);
  const list = [...columns, ...(time.column === undefined ? [] : [time.column])];
  const where = skipsEmpty ? ` where not (${isEmptySql(source.values)})` : '';
  return `records as (select ${list.join(', ') || '1 as one'} from ${source.from}${where})`;
}

/** Returns whether encoded values are all null, in SQL. */
export function isEmptySql(values: readonly string[]): string {
  return values.map(value => `${value} = '${NOTHING}'`).join(' and ') || '1 = 0';
}

/** Returns all rows of a small result. */
export async function rowsOf(session: EngineSession, sql: string): Promise<readonly EngineRow[]> {
  const all: EngineRow[] = [];
  for await (const rows of session.batches(sql)) all.push(...rows);
  return all;
}

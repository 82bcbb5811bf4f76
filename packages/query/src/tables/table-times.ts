import type { LookupRow } from '../engines/dialect.ts';
import { moveToRow, NOWHERE, RowInputs } from '../plan/run-context.ts';
import type { TableContext, TimeSql } from './table-context.ts';

/** The limit of JavaScript dates. */
const MAX_TIME = 8.64e15;

const UNTIMED: TimeSql = { sql: 'null', join: '', column: undefined };

/** Returns how queries find out the time of records. Strings are read here, each distinct one once. */
export async function timeSql(context: TableContext): Promise<TimeSql> {
  const { timeInput, source, session } = context;
  const kind = timeInput === undefined ? undefined : source.kindOf(timeInput);
  if (timeInput === undefined || kind === undefined) return UNTIMED;
  const { dialect } = session;
  const within = (sql: string) => `case when ${sql} between -${MAX_TIME} and ${MAX_TIME} then ${sql} end`;
  const raw = source.rawOf(timeInput);
  if (kind === 'time') return { sql: within('records.ct'), join: '', column: `${dialect.epochMs(raw)} as ct` };
  if (kind === 'number') return { sql: within('records.ct'), join: '', column: `${msOf(dialect, raw)} as ct` };
  const rows = await timesOf(context, timeInput);
  const columns = [
    { name: 'v', type: 'text' },
    { name: 't', type: 'integer' },
  ] as const;
  const lookup = dialect.lookup('times', columns, rows);
  return {
    sql: `case when times.v = records.ct then times.t end`,
    join:
      rows.length === 0
        ? "left join (select 1 as t, '' as v) times on 1 = 0"
        : `left join ${lookup} on times.v = records.ct`,
    column: `${source.valueOf(timeInput)} as ct`,
  };
}

/** Numbers are seconds, milliseconds, microseconds or nanoseconds, as in the readers of recordings. */
function msOf({ double, integer }: TableContext['session']['dialect'], sql: string): string {
  const number = double(sql);
  const rounded = (value: string) => integer(`floor(${value} + 0.5)`);
  return `case when ${number} > 0 and ${number} < 1e11 then ${rounded(`${number} * 1000`)}
    when ${number} >= 1e11 and ${number} < 1e14 then ${rounded(number)}
    when ${number} >= 1e14 and ${number} < 1e17 then ${rounded(`${number} / 1000`)}
    when ${number} >= 1e17 and ${number} < 8e21 then ${rounded(`${number} / 1000000`)} end`;
}

async function timesOf(context: TableContext, input: number): Promise<readonly LookupRow[]> {
  const { session, source, record } = context;
  const inputs = new RowInputs([input]);
  const rows: LookupRow[] = [];
  for await (const batch of session.batches(`select distinct ${source.valueOf(input)} as v from ${source.from}`))
    for (const [value] of batch) {
      moveToRow(context, { inputs, values: [value!] });
      const time = record.watch(new Set(), () => context.exchangeAt(NOWHERE).time);
      if (time !== undefined && Math.abs(time) <= MAX_TIME) rows.push([value!, Math.floor(time)]);
    }
  return rows;
}

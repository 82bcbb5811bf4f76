/** Reads some rows of each kind with all their fields, in one more scan, so that people see what is behind a figure. */
import { type ChangedExample, listedKey } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { EngineRow } from '../engines/engine.ts';
import type { Kinds } from './kinds-of-records.ts';
import { requireSame, rowsOf, type TableContext, wholeColumns } from './records-sql.ts';

/** Rows with the same values are one example, so more are read than shown. */
const MOST = 20;

/**
 * Returns the exchanges in some rows of each of the kinds: as if drawn, and the same each time. Throws `TableChanged` if there are other rows than were
 * counted.
 */
export async function exampleRows(
  context: TableContext,
  { parts, counts }: Pick<Kinds, 'parts' | 'counts'>,
  kinds: readonly number[],
): Promise<ReadonlyMap<number, readonly Exchange[]>> {
  if (kinds.length === 0) return new Map();
  const { session, source } = context;
  const { sql, names } = wholeColumns(context);
  const { hash, leastLists } = session.dialect;
  const numbers = kinds.map(kind => kind + 1).join(', ');
  const rows = new Map<number, readonly EngineRow[]>();
  const seen = counts.map(() => 0);
  const add = (kind: number, times: number, own: readonly EngineRow[]) => {
    seen[kind]! += times;
    rows.set(kind, [...(rows.get(kind) ?? []), ...own]);
  };
  for (const resultsWith of parts) {
    const some = `${resultsWith(sql)}, chosen as (select kind, ${hash(names)} as h, ${names.join(', ')} from results where kind in (${numbers}))`;
    if (leastLists !== undefined) {
      const query = `${some} select kind, count(*), ${leastLists('h', names, MOST)} from chosen group by kind`;
      for (const [kind, times, lists] of await rowsOf(session, query))
        add(Number(kind) - 1, Number(times), JSON.parse(lists!));
    } else {
      const ranked = `ranked as (select chosen.*, row_number() over (partition by kind order by h) as nth, count(*) over (partition by kind) as times from chosen)`;
      const query = `${some}, ${ranked} select kind, times, nth, ${names.join(', ')} from ranked where nth <= ${MOST} order by kind, nth`;
      for (const [kind, times, nth, ...row] of await rowsOf(session, query))
        add(Number(kind) - 1, nth === '1' ? Number(times) : 0, [row]);
    }
  }
  for (const kind of kinds) requireSame(counts[kind]!, seen[kind]!);
  const different = (own: readonly EngineRow[]) => [...new Map(own.map(row => [row.join('\n'), row])).values()];
  return new Map([...rows].map(([kind, own]) => [kind, different(own).map(source.exchangeOf)]));
}

/** Returns what people recognize an exchange by. */
export function exampleOf(exchange: Exchange): ChangedExample {
  const { time, method } = exchange;
  return { time, client: listedKey(exchange, 'clients'), method, path: listedKey(exchange, 'paths') };
}

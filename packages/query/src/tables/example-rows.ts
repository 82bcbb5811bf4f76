/** Reads some rows of each kind with all their fields, in one more scan, so that people see what is behind a figure. */
import { type ChangedExample, listedKey } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Kinds } from './kinds-of-records.ts';
import { requireSame, rowsOf, type TableContext, wholeColumns } from './records-sql.ts';

/** Rows are put in so many drawers by their values, each of which yields one: rows that are alike share a drawer. */
const DRAWERS = 40;

/**
 * Returns the exchanges in some different rows of each of the kinds: as if drawn, and the same each time. Throws `TableChanged` if there are other
 * rows than were counted.
 */
export async function exampleRows(
  context: TableContext,
  { parts, counts }: Pick<Kinds, 'parts' | 'counts'>,
  kinds: readonly number[],
): Promise<ReadonlyMap<number, readonly Exchange[]>> {
  if (kinds.length === 0) return new Map();
  const { session, source } = context;
  const { sql, names } = wholeColumns(context);
  const { hash, leastList, asText } = session.dialect;
  const numbers = kinds.map(kind => kind + 1).join(', ');
  const rows = new Map<number, string[]>();
  const seen = counts.map(() => 0);
  for (const resultsWith of parts) {
    const chosen = `chosen as (select kind, ${hash(names)} as h, ${names.join(', ')} from results where kind in (${numbers}))`;
    const least = leastList([asText('h', 'number'), ...names]);
    const query = `${resultsWith(sql)}, ${chosen} select kind, count(*), ${least} from chosen group by kind, h % ${DRAWERS}`;
    for (const [number, times, row] of await rowsOf(session, query)) {
      const kind = Number(number) - 1;
      seen[kind]! += Number(times);
      rows.set(kind, [...(rows.get(kind) ?? []), row!]);
    }
  }
  for (const kind of kinds) requireSame(counts[kind]!, seen[kind]!);
  return new Map([...rows].map(([kind, own]) => [kind, [...new Set(own)].sort().map(row => exchangeIn(source, row))]));
}

function exchangeIn({ exchangeOf }: TableContext['source'], row: string): Exchange {
  const [, ...values]: readonly string[] = JSON.parse(row);
  return exchangeOf(values);
}

/** Returns what people recognize an exchange by. */
export function exampleOf(exchange: Exchange): ChangedExample {
  const { time, method } = exchange;
  return { time, client: listedKey(exchange, 'clients'), method, path: listedKey(exchange, 'paths') };
}

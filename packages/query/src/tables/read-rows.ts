/** Reads the rows of a small table one by one, where decisions on single exchanges are wanted. Equal rows are one, with their number. */
import type { Policy } from '@tollgate/policy';
import type { ReplayOptions, TrafficSummary } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { type EngineResult, reasonAgainstEngine } from '../questions/paired-policies.ts';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { inSession, type TableTraffic, trafficOf } from './replay-on-table.ts';
import { NOTHING, openTable } from './table-source.ts';

/** Rows that are the same in all fields, which are decided alike. */
export interface EqualRows {
  readonly exchange: Exchange;
  readonly times: number;
  /** The values of all fields by name, as a string: the same as long as the table has these rows, whatever the policy reads. */
  readonly values: string;
}

/** More decisions are nothing to review. */
const MAX_ROWS = 100_000;

/**
 * Calls `each` for the rows of a table, in no order. Throws an `ExternalError` if the engine or the table cannot be read.
 *
 * @param policy what will decide them, which must not depend on their order
 */
export async function readRows(
  policy: Policy,
  options: Omit<ReplayOptions, 'files' | 'reader' | 'traffic'>,
  traffic: TableTraffic,
  each: (rows: EqualRows) => void,
): Promise<EngineResult<TrafficSummary>> {
  const reason = reasonAgainstEngine(policy, { ...options, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  return inSession(traffic, options.watch?.stop, async session => {
    const source = await openTable(session, traffic, traffic.select);
    const { values, fields, from, exchangeOf } = source;
    const columns = values.map((value, at) => `${value} as v${at}`);
    const names = values.map((_, at) => `v${at}`).join(', ');
    const different = `select ${names}, count(*) as times from (select ${columns.join(', ')} from ${from}) given group by ${names} limit ${MAX_ROWS + 1}`;
    const query = `select ${names}, times, count(*) over () from (${different}) different`;
    let [exchanges, empty] = [0, 0];
    for await (const rows of session.batches(query))
      for (const row of rows) {
        // Each row says how many there are, so nothing is decided in vain.
        if (Number(row.at(-1)) > MAX_ROWS)
          throw new UnsupportedQueryError(`it has over ${MAX_ROWS.toLocaleString('en')} different rows`);
        const [own, times] = [row.slice(0, -2), Number(row.at(-2))];
        if (own.every(value => value === NOTHING)) {
          empty += times;
          continue;
        }
        exchanges += times;
        const known = fields.flatMap((name, at) => (own[at] === NOTHING ? [] : [[name, own[at]]]));
        each({ exchange: exchangeOf(own), times, values: JSON.stringify(known.sort()) });
      }
    return trafficOf(source, exchanges, empty);
  });
}

/** Which rows of a table are replayed: those of a range of time, or a sample. The engine chooses them, so that it need not read the others. */
import type { Sample } from '@tollgate/simulator';
import { type EngineSession, unreadableTable } from '../engines/engine.ts';
import { type TimeColumn, type TimeLimits, timeRange } from './record-times.ts';

/** Which rows are replayed. */
export interface RowSelection extends TimeLimits {
  /** Only those without a time. */
  readonly isUntimed?: boolean;
  readonly sample?: Sample;
}

/** Where rows come from. */
interface Rows {
  /** An item of `from`. */
  readonly from: string;
  /** The table, as the user named it. */
  readonly table: string;
  /** The values of all columns that hold fields, in SQL, which tell rows apart. */
  readonly values: readonly string[];
  readonly time: (TimeColumn & { readonly type: string }) | undefined;
  /** Whether a row is no request, in SQL; undefined if all are. */
  readonly noRequest: string | undefined;
}

/** The rows that were chosen. */
export interface SelectedRows {
  /** An item of `from`. */
  readonly from: string;
  /** The number of rows that were left out because their time is unknown. */
  readonly unknown: number;
  /** The number of rows that were left out because they are no requests. */
  readonly noRequests: number;
}

/** Returns the chosen rows. Rows with the same values of all fields are in a share together, or none of them. */
export async function selectRows(
  session: EngineSession,
  { from, table, values, time, noRequest }: Rows,
  { sample, isUntimed = false, ...limits }: RowSelection,
): Promise<SelectedRows> {
  const conditions: string[] = [];
  const count = async (own: readonly string[]) => {
    let found = 0;
    for await (const [row] of session.batches(`select count(*) from ${from} where ${own.join(' and ')}`))
      found = Number(row![0]);
    return found;
  };
  let [unknown, noRequests] = [0, 0];
  if (isUntimed && time !== undefined) conditions.push((await timeRange(session, time, {})).isUnknown);
  if (limits.since !== undefined || limits.until !== undefined) {
    if (time === undefined)
      throw unreadableTable(
        `no column of \`${table}\` holds the time, which \`--since\` and \`--until\` need; map \`time\` to a column`,
      );
    const range = await timeRange(session, time, limits);
    unknown = await count([range.isUnknown]);
    conditions.push(range.isIn);
  }
  if (noRequest !== undefined) {
    noRequests = await count([...conditions, `(case when ${noRequest} then 1 else 0 end) = 1`]);
    conditions.push(`(case when ${noRequest} then 1 else 0 end) = 0`);
  }
  const { hash, text } = session.dialect;
  const rank = hash([text(String(sample?.seed ?? 0)), ...values]);
  if (sample !== undefined && 'percent' in sample) conditions.push(`${rank} < ${shareOf(sample.percent)}`);
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
  const limit = sample !== undefined && 'count' in sample ? ` order by ${rank} limit ${sample.count}` : '';
  if (where + limit === '') return { from, unknown, noRequests };
  return { from: `(select * from ${from}${where}${limit}) tollgate_table`, unknown, noRequests };
}

/** Shares are exact to this part of a percent. */
const PARTS = 1_000_000;

/** Returns what hashes of a share are below. */
function shareOf(percent: number): bigint {
  return (2n ** 63n * BigInt(Math.round(percent * PARTS))) / BigInt(100 * PARTS) - (percent === 100 ? 1n : 0n);
}

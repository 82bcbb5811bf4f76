import {
  type CountedBreakdown,
  type GroupTally,
  MAX_BUCKETS,
  type TimeData,
  type Verdict,
  WIDTHS,
} from '@tollgate/simulator';
import { DIMENSIONS } from '../plan/questions.ts';
import type { CodedAnswers } from './code-answers.ts';
import { type DecidedTable, requireSame } from './decide-table-groups.ts';
import { listTableKeys } from './list-table-keys.ts';
import type { TableContext } from './table-context.ts';
import { type Kinds, kindsOf } from './table-kinds.ts';

/** What is broken down. */
interface BreakdownRequest {
  readonly coded: CodedAnswers;
  readonly decided: DecidedTable<Verdict>;
  readonly tally: GroupTally;
  readonly ruleCount: number;
  /** The number of keys to list; 0 for none. */
  readonly top: number;
}

/** Counts by time and key. */
export async function breakDownTable(context: TableContext, request: BreakdownRequest): Promise<CountedBreakdown> {
  const { coded, decided, tally, top } = request;
  const kinds = kindsOf(context, coded, decided, verdict => ({
    listed: tally.listedUnder(verdict),
    series: tally.seriesOf(verdict),
  }));
  const time = await countTimes(context, request, kinds);
  const listing = { kinds, dimensions: DIMENSIONS, seriesCount: tally.seriesCount, top };
  return { time, keys: top > 0 ? await listTableKeys(context, listing) : undefined };
}

/** Counts by intervals of time, the shortest for which there are few enough. */
async function countTimes(
  context: TableContext,
  { decided: { times }, coded: { records }, ruleCount }: BreakdownRequest,
  kinds: Kinds,
): Promise<TimeData> {
  const untimed = records - (times?.count ?? 0);
  if (times === undefined) return { width: WIDTHS[0]!, buckets: [], untimed };
  const { from, to } = times;
  let step = WIDTHS.findIndex(width => Math.floor(to / width) - Math.floor(from / width) < MAX_BUCKETS);
  if (step < 0) step = WIDTHS.length - 1;
  let counts = await countAt(context, kinds, WIDTHS[Math.max(0, step - 1)]!);
  // Few of the intervals may have exchanges.
  while (step > 0 && bucketsIn(counts) <= MAX_BUCKETS) {
    step--;
    if (step > 0) counts = await countAt(context, kinds, WIDTHS[step - 1]!);
  }
  requireSame(
    times.count,
    counts.reduce((sum, { count }) => sum + count, 0),
  );
  return {
    width: WIDTHS[step]!,
    buckets: bucketsOf(counts, WIDTHS[step]!, { kinds: kinds.kinds, ruleCount }),
    untimed,
  };
}

interface TimeCount {
  readonly start: number;
  readonly kind: number;
  readonly count: number;
}

function bucketsIn(counts: readonly TimeCount[]): number {
  return new Set(counts.map(({ start }) => start)).size;
}

async function countAt({ session }: TableContext, { results }: Kinds, width: number): Promise<readonly TimeCount[]> {
  // The remainder has the sign of `t`.
  const start = `t - (t % ${width} + ${width}) % ${width}`;
  const timed = `select ${start} as start, kind from results where t is not null`;
  const found: TimeCount[] = [];
  for await (const rows of session.batches(
    `${results} select start, kind, count(*) from (${timed}) timed group by start, kind`,
  ))
    for (const [at, kind, count] of rows)
      found.push({ start: Number(at), kind: Number(kind) - 1, count: Number(count) });
  return found;
}

interface Series {
  readonly kinds: Kinds['kinds'];
  readonly ruleCount: number;
}

/** Merges intervals into those of a width that theirs divides. */
function bucketsOf(counts: readonly TimeCount[], width: number, { kinds, ruleCount }: Series): TimeData['buckets'] {
  const buckets = new Map<number, { exchanges: number; readonly series: number[] }>();
  for (const { start, kind, count } of counts) {
    const at = Math.floor(start / width) * width;
    const bucket = buckets.get(at) ?? { exchanges: 0, series: Array.from({ length: ruleCount }, () => 0) };
    buckets.set(at, bucket);
    bucket.exchanges += count;
    const { series, listed } = kinds[kind]!;
    addAt(bucket.series, series, count);
    for (const rule of listed) if (rule < ruleCount) addAt(bucket.series, rule, count);
  }
  return [...buckets].sort(([a], [b]) => a - b).map(([start, bucket]) => ({ start, ...bucket }));
}

function addAt(counts: number[], at: number, count: number): void {
  while (counts.length <= at) counts.push(0);
  counts[at]! += count;
}

import {
  type CountedBreakdown,
  type GroupTally,
  MAX_BUCKETS,
  type TimeData,
  type Verdict,
  WIDTHS,
} from '@tollgate/simulator';
import type { CodedAnswers } from '../answers/answer-questions.ts';
import { DIMENSIONS } from '../plan/questions.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { DecidedGroup } from './decide-groups.ts';
import { listKeys } from './list-keys.ts';
import { type Kind, writeResults } from './write-results.ts';

/** What is broken down. */
interface BreakdownRequest {
  readonly answers: CodedAnswers;
  readonly groups: readonly DecidedGroup<Verdict>[];
  readonly tally: GroupTally;
  readonly ruleCount: number;
  /** The number of keys to list; 0 for none. */
  readonly top: number;
}

/** Counts by time and key. */
export async function breakDown(
  context: RunContext,
  { answers, groups, tally, ruleCount, top }: BreakdownRequest,
): Promise<CountedBreakdown> {
  const kindOf = ({ verdict }: DecidedGroup<Verdict>) => ({
    series: tally.seriesOf(verdict),
    listed: tally.listedUnder(verdict),
  });
  const kinds = await writeResults(context, { answers, groups, kindOf });
  const time = await countTimes(context, ruleCount, kinds);
  const { seriesCount } = tally;
  const listing = { keys: answers.keys, dimensions: DIMENSIONS, kinds, seriesCount, top };
  return { time, keys: top > 0 ? await listKeys(context, listing) : undefined };
}

/** Counts by intervals of time, the shortest for which there are few enough. */
async function countTimes({ session }: RunContext, ruleCount: number, kinds: readonly Kind[]): Promise<TimeData> {
  const [[untimed, from, to] = []] = await session.rows('select count(*) - count(t), min(t), max(t) from results');
  if (from === null || from === undefined) return { width: WIDTHS[0]!, buckets: [], untimed: Number(untimed) };
  const width = await widthFor(session, Number(from), Number(to));
  const buckets = new Map<number, { exchanges: number; readonly series: number[] }>();
  const counts = `select ${startOf(width)}::double, kind, count(*)::double from results where t is not null group by all`;
  for await (const [starts = [], numbers = [], times = []] of session.batches(counts)) {
    for (let row = 0; row < starts.length; row++) {
      const [start, count] = [starts[row] as number, times[row] as number];
      const { series, listed } = kinds[numbers[row] as number]!;
      const bucket = buckets.get(start) ?? { exchanges: 0, series: Array.from({ length: ruleCount }, () => 0) };
      buckets.set(start, bucket);
      bucket.exchanges += count;
      addAt(bucket.series, series, count);
      for (const rule of listed) if (rule < ruleCount) bucket.series[rule]! += count;
    }
  }
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  return { width, buckets: sorted.map(([at, bucket]) => ({ start: at, ...bucket })), untimed: Number(untimed) };
}

/** The start of the interval that contains `t`. The remainder has the sign of `t`. */
function startOf(width: number): string {
  return `(t - (t % ${width} + ${width}) % ${width})`;
}

async function widthFor(session: RunContext['session'], from: number, to: number): Promise<number> {
  let step = WIDTHS.findIndex(width => Math.floor(to / width) - Math.floor(from / width) < MAX_BUCKETS);
  if (step < 0) step = WIDTHS.length - 1;
  // Few of the intervals may have exchanges.
  while (step > 0) {
    const [[count] = []] = await session.rows(
      `select count(distinct ${startOf(WIDTHS[step - 1]!)}) from results where t is not null`,
    );
    if (Number(count) > MAX_BUCKETS) break;
    step--;
  }
  return WIDTHS[step]!;
}

function addAt(counts: number[], at: number, count: number): void {
  while (counts.length <= at) counts.push(0);
  counts[at]! += count;
}

import {
  type CountedBreakdown,
  type GroupTally,
  type KeyDimension,
  type KeySummary,
  MAX_BUCKETS,
  type TimeData,
  WIDTHS,
} from '@tollgate/simulator';
import { Dictionary } from '../plan/dictionary.ts';
import { inTurns } from '../plan/in-turns.ts';
import { DIMENSIONS } from '../plan/questions.ts';
import type { CodedAnswers } from './answer-questions.ts';
import type { DecidedGroup } from './decide-groups.ts';
import { KeyCounts } from './key-counts.ts';
import type { RunContext } from './run-context.ts';

/** What is broken down. */
interface BreakdownRequest {
  readonly answers: CodedAnswers;
  readonly groups: readonly DecidedGroup[];
  readonly tally: GroupTally;
  readonly ruleCount: number;
  /** The number of keys to list; 0 for none. */
  readonly top: number;
}

/** Counts by time and key. */
export async function breakDown(context: RunContext, request: BreakdownRequest): Promise<CountedBreakdown> {
  const kinds = await writeResults(context, request);
  const time = await countTimes(context, request.ruleCount, kinds);
  const keys = request.top > 0 ? await listKeys(context, request, kinds) : undefined;
  return { time, keys };
}

/** What the figures by time and key tell apart of a verdict. */
interface Kind {
  readonly series: number;
  /** The rules, and series of outcomes, under which keys are listed. */
  readonly listed: readonly number[];
}

/** Writes the table `results`, a row for each exchange with the number of its kind of verdict. */
async function writeResults(
  { session }: RunContext,
  { answers: { words, keys }, groups, tally }: BreakdownRequest,
): Promise<readonly Kind[]> {
  const kinds: Kind[] = [];
  const known = new Dictionary<string>();
  const numbers: Record<DecidedGroup['table'], [rows: number[], kinds: number[]]> = { g: [[], []], u: [[], []] };
  for await (const part of inTurns(groups, session.stop)) {
    for (const { verdict, table, rows } of part) {
      const [listed, series] = [tally.listedUnder(verdict), tally.seriesOf(verdict)];
      const kind = known.numberOf(`${series} ${listed}`);
      kinds[kind] ??= { series, listed };
      for (const row of rows) {
        numbers[table][0].push(row);
        numbers[table][1].push(kind);
      }
    }
  }
  await session.run(`create or replace table kg(id integer, kind integer);
    create or replace table ku(id integer, kind integer)`);
  await session.append('kg', numbers.g);
  await session.append('ku', numbers.u);
  const columns = ['coded.t', 'kind', ...keys.map((_, at) => `coded.k${at}`)].join(', ');
  const same = words.map(word => `coded.${word} = g.${word}`).join(' and ') || 'true';
  const plain = `select ${columns} from coded join (select g.*, kind from g join kg on g.rowid = kg.id) g on ${same}`;
  const byValue = numbers.u[0].length === 0 ? '' : ` union all ${resultsByValue(columns, await valuesIn(session))}`;
  await session.run(`create or replace table results as ${plain}${byValue}`);
  return kinds;
}

function resultsByValue(columns: string, values: readonly string[]): string {
  const equal = values.map(column => ` and coded.${column} is not distinct from u.${column}`).join('');
  return `select ${columns} from v coded join (select u.*, kind from u join ku on u.rowid = ku.id) u
    on u.part = coded.part${equal}`;
}

/** Returns the columns of values in `u`. */
async function valuesIn(session: RunContext['session']): Promise<readonly string[]> {
  const rows = await session.rows('describe u');
  return rows.map(([name]) => String(name)).filter(name => /^c\d+$/.test(name));
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

type RuleKeys = { readonly [dimension in KeyDimension]: KeySummary };

/** Lists the most frequent keys of each rule and outcome. */
async function listKeys(
  { session }: RunContext,
  { answers: { keys }, tally: { seriesCount }, top }: BreakdownRequest,
  kinds: readonly Kind[],
): Promise<readonly RuleKeys[]> {
  const listed = kinds.map(kind => kind.listed);
  const summaries: (readonly KeySummary[])[] = [];
  for (const [dimension, textsOf] of keys.entries()) {
    const counts = new KeyCounts(listed, seriesCount, top);
    const key = `k${dimension}`;
    const query = `select ${key}::double, kind, count(*)::double from results group by ${key}, kind order by ${key}`;
    for await (const [numbers = [], ofKinds = [], times = []] of session.batches(query))
      for (let row = 0; row < numbers.length; row++)
        counts.add(numbers[row] as number | null, ofKinds[row] as number, times[row] as number);
    summaries.push(await counts.summaries(textsOf));
  }
  return Array.from({ length: seriesCount }, (_, series) => {
    const [clients, paths, countries] = DIMENSIONS.map((_, dimension) => summaries[dimension]![series]!);
    return { clients: clients!, paths: paths!, countries: countries! };
  });
}

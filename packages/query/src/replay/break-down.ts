import {
  type CountedBreakdown,
  type GroupTally,
  type KeyDimension,
  type KeySummary,
  MAX_BUCKETS,
  type TimeData,
  type Verdict,
  WIDTHS,
} from '@tollgate/simulator';
import { Dictionary } from '../plan/dictionary.ts';
import { inTurns } from '../plan/in-turns.ts';
import { DIMENSIONS } from '../plan/questions.ts';
import type { CodedAnswers } from './answer-questions.ts';
import type { DecidedGroup } from './decide-groups.ts';
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
  await writeResults(context, request);
  const time = await countTimes(context, request.ruleCount);
  const keys = request.top > 0 ? await listKeys(context, request) : undefined;
  return { time, keys };
}

/** Writes the tables `results`, a row for each exchange with the number of its kind of verdict, and `kinds` and `matches`, about these: `matches` has the rules, and the series of outcomes, that keys are listed under. */
async function writeResults(
  { session }: RunContext,
  { answers: { words, keys }, groups, tally }: BreakdownRequest,
): Promise<void> {
  const kinds = new Dictionary<string>();
  const matches: [kind: number, rule: number][] = [];
  const series: [kind: number, series: number][] = [];
  const kindOf = (verdict: Verdict): number => {
    const listed = tally.listedUnder(verdict);
    const one = tally.seriesOf(verdict);
    const before = kinds.size;
    const kind = kinds.numberOf(`${one} ${listed}`);
    if (kind === before) {
      series.push([kind, one]);
      for (const rule of listed) matches.push([kind, rule]);
    }
    return kind;
  };
  // Tens of thousands of groups share a few hundred verdicts.
  const known = new Map<Verdict, number>();
  const numbers: Record<DecidedGroup['table'], [id: number, kind: number][]> = { g: [], u: [] };
  for await (const part of inTurns(groups, session.stop)) {
    for (const { verdict, table, id } of part) {
      const kind = known.get(verdict) ?? kindOf(verdict);
      known.set(verdict, kind);
      numbers[table].push([id, kind]);
    }
  }
  await session.run(`create or replace table matches(kind integer, rule integer);
    create or replace table series(kind integer, series integer);
    create or replace table kg(id integer, kind integer);
    create or replace table ku(uid integer, kind integer)`);
  await session.append('matches', transposed(matches));
  await session.append('series', transposed(series));
  await session.append('kg', transposed(numbers.g));
  await session.append('ku', transposed(numbers.u));
  const columns = ['coded.t', 'kind', ...keys.map((_, at) => `coded.k${at}`)].join(', ');
  const same = words.map(word => `coded.${word} = g.${word}`).join(' and ') || 'true';
  const plain = `select ${columns} from coded join (select * from g join kg using (id)) g on ${same}`;
  const byValue = numbers.u.length === 0 ? '' : ` union all ${resultsByValue(columns, same, await valuesIn(session))}`;
  await session.run(`create or replace table results as ${plain}${byValue}`);
}

function transposed(rows: readonly (readonly [number, number])[]): readonly (readonly number[])[] {
  return [rows.map(([one]) => one), rows.map(([, other]) => other)];
}

function resultsByValue(columns: string, same: string, values: readonly string[]): string {
  const equal = values.map(column => `raw.${column} is not distinct from u.${column}`).join(' and ') || 'true';
  return `select ${columns} from coded join g on ${same} join raw on raw.rowid = coded.rid
    join (select * from u join ku using (uid)) u on u.id = g.id and ${equal}`;
}

/** Returns the columns of values in `u`. */
async function valuesIn(session: RunContext['session']): Promise<readonly string[]> {
  const rows = await session.rows('describe u');
  return rows.map(([name]) => String(name)).filter(name => /^c\d+$/.test(name));
}

/** Counts by intervals of time, the shortest for which there are few enough. */
async function countTimes({ session }: RunContext, ruleCount: number): Promise<TimeData> {
  const [[untimed, from, to] = []] = await session.rows('select count(*) - count(t), min(t), max(t) from results');
  if (from === null || from === undefined) return { width: WIDTHS[0]!, buckets: [], untimed: Number(untimed) };
  const width = await widthFor(session, Number(from), Number(to));
  const start = startOf(width);
  const buckets = new Map<number, { exchanges: number; readonly series: number[] }>();
  const seriesCounts = `select ${start}, series, count(*) from results join series using (kind) where t is not null group by all`;
  for (const [at, series, count] of await session.rows(seriesCounts)) {
    const bucket = buckets.get(Number(at)) ?? { exchanges: 0, series: Array.from({ length: ruleCount }, () => 0) };
    buckets.set(Number(at), bucket);
    bucket.exchanges += Number(count);
    addAt(bucket.series, Number(series), Number(count));
  }
  const ruleCounts = `select start, rule, sum(n) from (
    select ${start} as start, kind, count(*) as n from results where t is not null group by all
    ) join matches using (kind) where rule < ${ruleCount} group by all`;
  for (const [at, rule, count] of await session.rows(ruleCounts))
    addAt(buckets.get(Number(at))!.series, Number(rule), Number(count));
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
): Promise<readonly RuleKeys[]> {
  const summaries = keys.map(() =>
    Array.from({ length: seriesCount }, () => ({ top: [], distinct: 0, unknown: 0 }) as MutableKeys),
  );
  for (const [dimension, textsOf] of keys.entries()) {
    const rules = summaries[dimension]!;
    await session.run(`create or replace table counts as
      select rule, k, sum(n)::bigint as n from (select kind, k${dimension} as k, count(*) as n from results group by all)
      join matches using (kind) group by all`);
    for (const [rule, distinct, unknown] of await session.rows(
      'select rule, count(k), coalesce(sum(n) filter (k is null), 0) from counts group by rule',
    )) {
      rules[Number(rule)]!.distinct = Number(distinct);
      rules[Number(rule)]!.unknown = Number(unknown);
    }
    const listed = await session.rows(
      `select rule, k, n from counts where k is not null
       qualify row_number() over (partition by rule order by n desc, k) <= ${top} order by rule, n desc, k`,
    );
    const texts = await textsOf(listed.map(([, key]) => Number(key)));
    for (const [at, [rule, , count]] of listed.entries())
      rules[Number(rule)]!.top.push({ text: texts[at]!, count: { least: Number(count), most: Number(count) } });
  }
  return Array.from({ length: seriesCount }, (_, rule) => {
    const [clients, paths, countries] = DIMENSIONS.map((_, dimension) => summaries[dimension]![rule]!);
    return { clients: clients!, paths: paths!, countries: countries! };
  });
}

interface MutableKeys {
  readonly top: KeySummary['top'][number][];
  distinct: number;
  unknown: number;
}

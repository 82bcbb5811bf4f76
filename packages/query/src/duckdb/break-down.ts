/** Figures by time and by frequent keys of exchanges that DuckDB has grouped, from a table with a row for each exchange. */
import {
  type CountedBreakdown,
  type GroupTally,
  type ImpactDimension,
  type KeySummary,
  MAX_BUCKETS,
  type TimeData,
  type Verdict,
  WIDTHS,
} from '@tollgate/simulator';
import type { CodedAnswers } from '../questions/answer-questions.ts';
import type { Kind } from '../questions/paired-policies.ts';
import { DIMENSIONS, Dictionary } from '../questions/questions.ts';
import type { Decided, RunContext } from '../questions/run-context.ts';
import { inTurns } from '../questions/turns.ts';
import type { DecidedGroup } from './decide-groups.ts';

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

interface KeyRequest<Dimension extends ImpactDimension> {
  readonly keys: CodedAnswers['keys'];
  readonly dimensions: readonly Dimension[];
  readonly kinds: readonly Kind[];
  readonly seriesCount: number;
  /** The number of keys to list. */
  readonly top: number;
}

/** Lists the most frequent keys of each series, from the table `results`. */
export async function listKeys<Dimension extends ImpactDimension>(
  { session }: RunContext,
  { keys, dimensions, kinds, seriesCount, top }: KeyRequest<Dimension>,
): Promise<readonly Readonly<Record<Dimension, KeySummary>>[]> {
  const listed = kinds.map(kind => kind.listed);
  const summaries = new Map<ImpactDimension, readonly KeySummary[]>();
  for (const { dimension, column, textsOf } of keys) {
    const counts = new KeyCounts(listed, seriesCount, top);
    const query = `select ${column}::double, kind, count(*)::double from results group by ${column}, kind order by ${column}`;
    for await (const [numbers = [], ofKinds = [], times = []] of session.batches(query))
      for (let row = 0; row < numbers.length; row++)
        counts.add(numbers[row] as number | null, ofKinds[row] as number, times[row] as number);
    summaries.set(dimension, await counts.summaries(textsOf));
  }
  return Array.from({ length: seriesCount }, (_, series) => {
    const entries = dimensions.map(dimension => [dimension, summaries.get(dimension)![series]!]);
    return Object.fromEntries(entries) as Record<Dimension, KeySummary>;
  });
}

/** Decided groups, and their kinds. */
interface DecidedAnswers<Found extends Decided> {
  readonly answers: Pick<CodedAnswers, 'words' | 'keys'>;
  readonly groups: readonly DecidedGroup<Found>[];
  readonly kindOf: (group: DecidedGroup<Found>) => Kind;
}

/** Writes the table `results`, a row for each exchange with its number, time, keys and the number of its kind, and returns the kinds. */
export async function writeResults<Found extends Decided>(
  { session }: RunContext,
  { answers: { words, keys }, groups, kindOf }: DecidedAnswers<Found>,
): Promise<readonly Kind[]> {
  const kinds: Kind[] = [];
  const known = new Dictionary<string>();
  const numbers = {
    g: { rows: [] as number[], kinds: [] as number[] },
    u: { rows: [] as number[], kinds: [] as number[] },
  };
  for await (const part of inTurns(groups, session.stop)) {
    for (const group of part) {
      const kind = kindOf(group);
      const number = known.numberOf(`${kind.series} ${kind.listed}`);
      kinds[number] ??= kind;
      for (const row of group.rows) {
        numbers[group.table].rows.push(row);
        numbers[group.table].kinds.push(number);
      }
    }
  }
  await session.run(`create or replace table kg(id integer, kind integer);
    create or replace table ku(id integer, kind integer)`);
  await session.append('kg', [numbers.g.rows, numbers.g.kinds]);
  await session.append('ku', [numbers.u.rows, numbers.u.kinds]);
  const columns = ['coded.rid', 'coded.t', 'kind', ...keys.map(({ column }) => `coded.${column}`)].join(', ');
  const same = words.map(word => `coded.${word} = g.${word}`).join(' and ') || 'true';
  const plain = `select ${columns} from coded join (select g.*, kind from g join kg on g.rowid = kg.id) g on ${same}`;
  const byValue = numbers.u.rows.length === 0 ? '' : ` union all ${resultsByValue(columns, await valuesIn(session))}`;
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

interface FrequentKey {
  readonly key: number;
  readonly count: number;
}

/** The keys of one rule or outcome. */
interface SeriesKeys {
  /** Most frequent first, equal ones in the order of keys. */
  readonly top: FrequentKey[];
  distinct: number;
  unknown: number;
}

/** Counts keys by series, key after key, so that only the counts of one key are kept next to the most frequent ones. */
export class KeyCounts {
  readonly #listed: readonly (readonly number[])[];
  readonly #top: number;
  readonly #series: readonly SeriesKeys[];
  /** By series: the count of the current key. */
  readonly #counts: Float64Array;
  /** The series that have counts of it. */
  readonly #counted: number[] = [];
  #key: number | null = null;

  /**
   * @param listed by kind: the series that count its keys
   * @param top the number of keys to list
   */
  constructor(listed: readonly (readonly number[])[], seriesCount: number, top: number) {
    this.#listed = listed;
    this.#top = top;
    this.#series = Array.from({ length: seriesCount }, () => ({ top: [], distinct: 0, unknown: 0 }));
    this.#counts = new Float64Array(seriesCount);
  }

  /** Call it in the order of keys; null for an unknown one. */
  add(key: number | null, kind: number, times: number): void {
    if (key !== this.#key) this.#finishKey();
    this.#key = key;
    for (const series of this.#listed[kind]!) {
      if (this.#counts[series] === 0) this.#counted.push(series);
      this.#counts[series]! += times;
    }
  }

  /** @param textsOf returns keys by their numbers */
  async summaries(textsOf: (keys: readonly number[]) => Promise<readonly string[]>): Promise<readonly KeySummary[]> {
    this.#finishKey();
    const listed = [...new Set(this.#series.flatMap(({ top }) => top.map(({ key }) => key)))];
    const found = await textsOf(listed);
    const texts = new Map(listed.map((key, at) => [key, found[at]!]));
    return this.#series.map(({ top, ...counts }) => ({
      top: top.map(({ key, count }) => ({ text: texts.get(key)!, count: { least: count, most: count } })),
      ...counts,
    }));
  }

  #finishKey(): void {
    const key = this.#key;
    for (const number of this.#counted) {
      const [series, count] = [this.#series[number]!, this.#counts[number]!];
      this.#counts[number] = 0;
      if (key === null) series.unknown = count;
      else {
        series.distinct++;
        this.#list(series.top, { key, count });
      }
    }
    this.#counted.length = 0;
  }

  #list(top: FrequentKey[], one: FrequentKey): void {
    let at = top.length;
    while (at > 0 && top[at - 1]!.count < one.count) at--;
    if (at >= this.#top) return;
    top.splice(at, 0, one);
    if (top.length > this.#top) top.pop();
  }
}

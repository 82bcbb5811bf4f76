/** Figures by time and by frequent keys of records in a table, counted by its engine. */
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
import type { LookupColumn, LookupRow } from '../engines/engine.ts';
import type { Kind } from '../questions/paired-policies.ts';
import { DIMENSIONS, Dictionary, type Question } from '../questions/questions.ts';
import { type Decided, decisiveInputs, moveToRow, NOWHERE, RowInputs } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import type { CodedAnswers, TableContext } from './code-answers.ts';
import { type DecidedTable, requireSame } from './decide-table-groups.ts';

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

interface KeyRequest<Dimension extends ImpactDimension> {
  readonly kinds: Kinds;
  readonly dimensions: readonly Dimension[];
  readonly seriesCount: number;
  /** The number of keys to list. */
  readonly top: number;
}

/** Lists the most frequent keys of each series. Dimensions that are read from the same columns take one query. */
export async function listTableKeys<Dimension extends ImpactDimension>(
  context: TableContext,
  request: KeyRequest<Dimension>,
): Promise<readonly Readonly<Record<Dimension, KeySummary>>[]> {
  const { dimensions, seriesCount, top } = request;
  const questions = context.questions.filter(({ dimension }) => dimensions.some(one => one === dimension));
  const found: Partial<Record<ImpactDimension, readonly SeriesKeys[]>> = {};
  for (const group of Map.groupBy(questions, ({ reads }) => decisiveInputs(context, reads).join()).values()) {
    const keys = await countKeys(context, request, group);
    for (const [at, { dimension }] of group.entries()) found[dimension!] = keys[at]!;
  }
  const summaryOf = (dimension: Dimension, series: number): KeySummary => {
    const { keys, unknown } = found[dimension]![series]!;
    return { top: mostFrequent(keys, top), distinct: keys.size, unknown };
  };
  return Array.from({ length: seriesCount }, (_, series) => {
    const entries = dimensions.map(dimension => [dimension, summaryOf(dimension, series)]);
    return Object.fromEntries(entries) as Record<Dimension, KeySummary>;
  });
}

interface SeriesKeys {
  readonly keys: Map<string, number>;
  unknown: number;
}

/** Counts the keys of questions that read the same inputs, by series. */
async function countKeys(
  context: TableContext,
  { kinds: { results, kinds, counts }, seriesCount }: KeyRequest<ImpactDimension>,
  questions: readonly Question[],
): Promise<readonly (readonly SeriesKeys[])[]> {
  const { session, record } = context;
  const found = questions.map(() =>
    Array.from({ length: seriesCount }, (): SeriesKeys => ({ keys: new Map(), unknown: 0 })),
  );
  const shown = kinds.flatMap(({ listed }, kind) => (listed.length > 0 ? [kind + 1] : []));
  if (shown.length === 0) return found;
  const inputs = new RowInputs(decisiveInputs(context, questions[0]!.reads));
  const columns = ['kind', ...inputs.inputs.map(columnOf)].join(', ');
  const seen = counts.map(() => 0);
  const query = `${results} select ${columns}, count(*) from results where kind in (${shown.join(', ')}) group by ${columns}`;
  for await (const rows of session.batches(query))
    for (const row of rows) {
      const [kind, times] = [Number(row[0]) - 1, Number(row.at(-1))];
      moveToRow(context, { inputs, values: row.slice(1, -1) });
      seen[kind]! += times;
      for (const [at, { reads, ask }] of questions.entries()) {
        const key = record.watch(reads, () => ask(context.exchangeAt(NOWHERE)));
        for (const series of kinds[kind]!.listed) addKey(found[at]![series]!, key, times);
      }
    }
  for (const kind of shown) requireSame(counts[kind - 1]!, seen[kind - 1]!);
  return found;
}

function addKey(one: SeriesKeys, key: string | number | undefined, times: number): void {
  if (typeof key === 'string') one.keys.set(key, (one.keys.get(key) ?? 0) + times);
  else one.unknown += times;
}

/** The most frequent keys first, equal ones in string order. */
function mostFrequent(keys: ReadonlyMap<string, number>, top: number): KeySummary['top'] {
  const sorted = [...keys].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.slice(0, top).map(([text, count]) => ({ text, count: { least: count, most: count } }));
}

/** The kinds of verdicts. */
interface Kinds {
  /** Common table expressions, the last of which is `results`: `coded` with the number of the kind, from 1. */
  readonly results: string;
  readonly kinds: readonly Kind[];
  /** The number of records of each kind. */
  readonly counts: readonly number[];
}

/** Returns the query for the kinds of all records. */
export function kindsOf<Found extends Decided>(
  context: TableContext,
  { coded, words }: CodedAnswers,
  { groups, dividedBy }: DecidedTable<Found>,
  kindOf: (verdict: Found, times: number) => Kind,
): Kinds {
  const known = new Dictionary<string>();
  const kinds: Kind[] = [];
  const counts: number[] = [];
  const [plain, byValue]: [LookupRow[], LookupRow[]] = [[], []];
  for (const { verdict, words: own, values, times } of groups) {
    const one = kindOf(verdict, times);
    const number = known.numberOf(`${one.series} ${one.listed}`);
    kinds[number] = one;
    counts[number] = (counts[number] ?? 0) + times;
    if (values === undefined) plain.push([...own, number + 1]);
    else byValue.push([...own, ...values, number + 1]);
  }
  const { lookup } = context.session.dialect;
  const numbers = words.map(name => ({ name, type: 'integer' }) as const);
  const strings = dividedBy.map(input => ({ name: columnOf(input), type: 'text' }) as const);
  const joined = (alias: string, columns: readonly LookupColumn[], rows: readonly LookupRow[]) => {
    // ClickHouse renames the columns of `coded.*` whose names occur in what it joins.
    const own = columns.map(({ type }, at) => ({ name: `v${at}`, type }));
    const matches = columns.map(({ name }, at) => `${alias}.v${at} = coded.${name}`).join(' and ');
    return `left join ${lookup(alias, [...own, { name: 'kind', type: 'integer' }], rows)} on ${matches}`;
  };
  const joins = [
    ...(plain.length > 0 ? [{ alias: 'kg', sql: joined('kg', numbers, plain) }] : []),
    ...(byValue.length > 0 ? [{ alias: 'ku', sql: joined('ku', [...numbers, ...strings], byValue) }] : []),
  ];
  const kind = joins.map(({ alias }) => `coalesce(${alias}.kind, 0)`).join(' + ') || '0';
  const from = `coded ${joins.map(({ sql }) => sql).join(' ')}`;
  return { results: `${coded}, results as (select coded.*, ${kind} as kind from ${from})`, kinds, counts };
}

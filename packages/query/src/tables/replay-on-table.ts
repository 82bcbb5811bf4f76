/**
 * Replays the traffic in a table of another engine, and compares policies on it; the engine also counts figures by time and by frequent
 * keys.
 */
import type { Policy } from '@tollgate/policy';
import {
  type ComparedPolicy,
  type CountedBreakdown,
  createSimulation,
  GroupTally,
  type ImpactDimension,
  type ImpactOptions,
  type ImpactSummary,
  type KeySummary,
  type Leaves,
  MAX_BUCKETS,
  type ReplayOptions,
  type ReplaySummary,
  type TimeData,
  type TrafficSummary,
  type Verdict,
  WIDTHS,
} from '@tollgate/simulator';
import { type EngineSession, type LookupColumn, type LookupRow, unreadableTable } from '../engines/engine.ts';
import { type EnginePlace, openEngine } from '../engines/open-engine.ts';
import {
  type EngineResult,
  impactTally,
  type Kind,
  kindIn,
  pairPolicies,
  reasonAgainstEngine,
  reasonAgainstImpact,
} from '../questions/paired-policies.ts';
import { DIMENSIONS, Dictionary, IMPACT_DIMENSIONS, type Question, questionsOf } from '../questions/questions.ts';
import {
  type Decided,
  type Decider,
  decisiveInputs,
  Growth,
  moveToRow,
  NOWHERE,
  prepareAsking,
  RowInputs,
} from '../questions/run-context.ts';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { columnOf } from '../recordings/source.ts';
import {
  type CodedAnswers,
  codeAnswers,
  isEmptySql,
  planInputs,
  requireSame,
  rowsOf,
  TableChanged,
  type TableContext,
} from './code-answers.ts';
import { type DecidedTable, decideTableGroups } from './decide-table-groups.ts';
import { timeSql, UNTIMED } from './record-times.ts';
import type { RowSelection } from './select-rows.ts';
import { openTable, type TableSource, type TrafficTable } from './table-source.ts';

/**
 * Replays the traffic in a table through a policy: the engine scans and groups, the policy is evaluated here, once for each distinct value and each
 * group. The summary is that of `replay` on the same records, except that the locations of examples are unknown. Throws an `ExternalError` if
 * the engine or the table cannot be read.
 */
export async function replayOnTable(
  policy: Policy,
  options: Omit<ReplayOptions, 'files' | 'reader' | 'traffic'>,
  traffic: TableTraffic,
): Promise<EngineResult<ReplaySummary>> {
  const { select: { where, ...select } = {}, ...others } = options;
  const { breakdown, profile, watch } = options;
  const isSelected = where !== undefined || Object.keys(select).length > 0;
  const reason =
    where === undefined
      ? reasonAgainstEngine(policy, { ...others, files: [] })
      : '`--where` reads every exchange with its decision';
  if (reason !== undefined) return { kind: 'unsuited', reason };
  const ruleCount = profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  const place = { file: traffic.table, number: 0, unit: 'table' } as const;
  return runOnTable({ ...traffic, select }, watch?.stop, () => {
    const run = createSimulation(policy, options).begin();
    const leaves = run.leaves();
    if (leaves === undefined) throw new UnsupportedQueryError('verdicts depend on more than conditions');
    return {
      ...{ run, leaves, questions: questionsOf(leaves, (breakdown?.top ?? 0) > 0) },
      hasTimes: true,
      figuresOf: async (context, coded, decided) => {
        const tally = new GroupTally(policy, options);
        for (const { verdict, ...part } of decided.groups)
          tally.add({ verdict, place, parts: [{ first: 0, ...part }] });
        const request = breakdown && { coded, decided, tally, ruleCount, top: breakdown.top };
        const counted = request && (await breakDownTable(context, request));
        await watch?.read?.(coded.records);
        const selection = isSelected && { selection: { selected: coded.records, unknown: context.source.unknown } };
        return { ...tally.summary(counted), ...selection };
      },
    };
  });
}

/**
 * Decides the traffic in a table with two policies. The leaves of both are evaluated over the same distinct values, so this takes as many queries as
 * `replayOnTable`. The summary is that of `impact` on the same records without examples. Throws an `ExternalError` if the engine or the table
 * cannot be read.
 */
export async function impactOnTable(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
  { top, guard, geoip, watch }: Omit<ImpactOptions, 'files' | 'reader' | 'traffic'>,
  traffic: TableTraffic,
): Promise<EngineResult<ImpactSummary>> {
  const reason = reasonAgainstImpact([was, becomes], { ...(geoip && { geoip }), guard, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  return runOnTable(traffic, watch?.stop, () => {
    return {
      ...pairPolicies(was, becomes),
      hasTimes: false,
      figuresOf: async (context, coded, decided) => {
        const tally = impactTally(was, becomes);
        const kinds = kindsOf(context, coded, decided, (verdicts, times) => kindIn(tally, verdicts, times));
        const listing = { kinds, dimensions: IMPACT_DIMENSIONS, seriesCount: tally.transitionCount, top };
        const keys = await listTableKeys(context, listing);
        await watch?.read?.(coded.records);
        return tally.figures(
          top,
          keys.map(ofTransition => ({ keys: ofTransition, first: [] })),
        );
      },
    };
  });
}

/** Where traffic lives. */
export interface TableTraffic extends TrafficTable, EnginePlace {
  /** Which rows are replayed; by default all. */
  readonly select?: RowSelection;
}

/** What is decided about the records of a table, and how figures follow. */
interface TableRun<Found extends Decided, Figures> {
  readonly run: Decider<Found>;
  readonly leaves: Leaves<Found>;
  readonly questions: readonly Question[];
  readonly hasTimes: boolean;
  readonly figuresOf: (context: TableContext, coded: CodedAnswers, decided: DecidedTable<Found>) => Promise<Figures>;
}

/** Carries out a run. Throws an `ExternalError` if the engine or the table cannot be read. */
async function runOnTable<Found extends Decided, Figures>(
  traffic: TableTraffic,
  stop: AbortSignal | undefined,
  prepare: () => TableRun<Found, Figures>,
): Promise<EngineResult<TrafficSummary & Figures>> {
  let session: EngineSession | undefined;
  try {
    session = await openEngine(traffic, stop);
    const summary = await runIn(session, traffic, prepare());
    return stop?.aborted ? { kind: 'stopped' } : { kind: 'replayed', summary };
  } catch (error) {
    if (stop?.aborted) return { kind: 'stopped' };
    if (error instanceof UnsupportedQueryError) return { kind: 'unsuited', reason: error.message };
    if (error instanceof TableChanged)
      throw unreadableTable(
        `two queries of \`${traffic.table}\` found different records; restrict it to records that are complete, such as those of a day, and choose some with \`--since\` or \`--sample\` instead of \`limit\` or random numbers`,
      );
    throw error;
  } finally {
    await session?.close();
  }
}

/** Every input that is read later than expected takes another attempt; the sample shows nearly all. */
const MAX_ATTEMPTS = 10;

async function runIn<Found extends Decided, Figures>(
  session: EngineSession,
  traffic: TableTraffic,
  one: TableRun<Found, Figures>,
): Promise<TrafficSummary & Figures> {
  const source = await openTable(session, traffic, traffic.select);
  const context: TableContext<Found> = {
    ...(await prepareAsking(source, one)),
    ...{ session, source, skipsEmpty: false, loaded: [], time: UNTIMED },
  };
  let skipped = 0;
  let all: number | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      const found = await sumUp({ ...context, skipsEmpty: skipped > 0 }, one);
      if ('figures' in found) {
        requireSame(all ?? found.exchanges, found.exchanges + skipped);
        return { ...trafficOf(source, found.exchanges, skipped), ...found.figures };
      }
      skipped = found.empty;
      all = found.records;
    } catch (error) {
      if (!(error instanceof Growth)) throw error;
    }
  }
  throw new UnsupportedQueryError('conditions read too many different fields');
}

/** Returns the numbers of records without any field and of all instead, if the former have to be left out. */
async function sumUp<Found extends Decided, Figures>(
  context: TableContext<Found>,
  { hasTimes, figuresOf }: TableRun<Found, Figures>,
): Promise<
  { readonly exchanges: number; readonly figures: Figures } | { readonly empty: number; readonly records: number }
> {
  planInputs(context);
  const column = hasTimes && context.timeInput !== undefined ? context.source.timeColumn(context.timeInput) : undefined;
  context.time = column === undefined ? UNTIMED : await timeSql(context.session, column);
  const coded = await codeAnswers(context);
  const decided = await decideTableGroups(context, coded);
  if (decided.empty > 0 && !context.skipsEmpty) {
    const empty = await countEmpty(context);
    if (empty > 0) return { empty, records: coded.records };
  }
  return { exchanges: coded.records, figures: await figuresOf(context, coded, decided) };
}

async function countEmpty({ session, source }: TableContext): Promise<number> {
  const [row] = await rowsOf(session, `select count(*) from ${source.from} where ${isEmptySql(source.values)}`);
  return Number(row![0]);
}

function trafficOf({ table: file, noRequests }: TableSource, exchanges: number, empty: number): TrafficSummary {
  const reasons = { 'traffic/no-fields': empty, 'traffic/no-request': noRequests } as const;
  const skipped = Object.entries(reasons).filter(([, count]) => count > 0) as [keyof typeof reasons, number][];
  return {
    exchanges,
    files: [{ file, exchanges, skipped: empty + noRequests }],
    skipped: skipped.map(([reason, count]) => ({ reason, count, first: [] })),
  };
}

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
async function breakDownTable(context: TableContext, request: BreakdownRequest): Promise<CountedBreakdown> {
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

async function countAt({ session }: TableContext, kinds: Kinds, width: number): Promise<readonly TimeCount[]> {
  // The remainder has the sign of `t`.
  const start = `t - (t % ${width} + ${width}) % ${width}`;
  const timed = `select ${start} as start, kind from results where t is not null`;
  const found: TimeCount[] = [];
  for await (const rows of session.batches(
    `${kinds.results} select start, kind, count(*) from (${timed}) timed group by start, kind`,
  ))
    for (const [at, kind, count] of rows)
      found.push({ start: Number(at), kind: Number(kind) - 1, count: Number(count) });
  requireSameKinds(kinds.timed, found);
  return found;
}

function requireSameKinds(
  expected: readonly number[],
  found: readonly { readonly kind: number; readonly count: number }[],
): void {
  const seen = expected.map(() => 0);
  for (const { kind, count } of found) {
    // Records with answers that none had before are of no kind.
    if (kind < 0) throw new TableChanged();
    seen[kind]! += count;
  }
  for (const [kind, count] of expected.entries()) requireSame(count, seen[kind]!);
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
async function listTableKeys<Dimension extends ImpactDimension>(
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
  /** The number of those with a time. */
  readonly timed: readonly number[];
}

/** Returns the query for the kinds of all records. */
function kindsOf<Found extends Decided>(
  context: TableContext,
  { coded, words }: CodedAnswers,
  { groups, dividedBy }: DecidedTable<Found>,
  kindOf: (verdict: Found, times: number) => Kind,
): Kinds {
  const known = new Dictionary<string>();
  const kinds: Kind[] = [];
  const counts: number[] = [];
  const withTime: number[] = [];
  const [plain, byValue]: [LookupRow[], LookupRow[]] = [[], []];
  for (const { verdict, words: own, values, times, timed } of groups) {
    const one = kindOf(verdict, times);
    const number = known.numberOf(`${one.series} ${one.listed}`);
    kinds[number] = one;
    counts[number] = (counts[number] ?? 0) + times;
    withTime[number] = (withTime[number] ?? 0) + timed;
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
  const results = `${coded}, results as (select coded.*, ${kind} as kind from ${from})`;
  return { results, kinds, counts, timed: withTime };
}

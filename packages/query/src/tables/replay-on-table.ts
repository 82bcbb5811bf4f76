/**
 * Replays the traffic in a table of another engine, and compares policies on it; the engine also counts figures by time and by frequent
 * keys.
 */
import type { Policy } from '@tollgate/policy';
import {
  type ChangedExample,
  type ComparedPolicy,
  type CountedBreakdown,
  createSimulation,
  type DecisionCondition,
  GroupTally,
  type ImpactOptions,
  type ImpactSummary,
  ImpactTally,
  type Leaves,
  type ReplayOptions,
  type ReplaySummary,
  type TimeData,
  type TrafficSummary,
  type Verdict,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { type EngineSession, unreadableTable } from '../engines/engine.ts';
import { type EnginePlace, openEngine } from '../engines/open-engine.ts';
import {
  comparing,
  type EngineResult,
  impactTally,
  kindIn,
  pairPolicies,
  reasonAgainstEngine,
  reasonAgainstImpact,
} from '../questions/paired-policies.ts';
import { DIMENSIONS, Dictionary, IMPACT_DIMENSIONS, type Question, questionsOf } from '../questions/questions.ts';
import { type Decided, type Decider, Growth, prepareAsking } from '../questions/run-context.ts';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { type CodedAnswers, codeAnswers } from './code-answers.ts';
import { type DecidedTable, decideTableGroups } from './decide-table-groups.ts';
import { exampleOf, exampleRows } from './example-rows.ts';
import { type Kinds, kindsOf } from './kinds-of-records.ts';
import { listTableKeys } from './list-keys.ts';
import { timeSql, UNTIMED } from './record-times.ts';
import {
  intervalsOf,
  isEmptySql,
  planInputs,
  requireSame,
  rowsOf,
  startSql,
  TableChanged,
  type TableContext,
  wholeColumns,
} from './records-sql.ts';
import type { Thresholds } from './scanned-conditions.ts';
import type { RowSelection } from './select-rows.ts';
import { SelectedGroups } from './selected-groups.ts';
import { openTable, type TableSource, type TrafficTable } from './table-source.ts';
import { RowWriter, type WrittenKind, type WrittenTable } from './write-rows.ts';

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
  const isSelected = where !== undefined || Object.keys(select).length > 0;
  if (where !== undefined && select.sample !== undefined && 'count' in select.sample)
    return {
      ...{ kind: 'unsuited', reason: 'a number of rows is drawn before `--where` selects some' },
      remedy: 'sample a share such as `1%`',
    };
  const reason = reasonAgainstEngine(policy, { ...others, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  return runOnTable({ ...traffic, select }, options.watch?.stop, () =>
    replayRun(policy, others, where, ({ source, decided, unknown, tally, breakdown }) => {
      const selection = isSelected && { selection: { selected: decided.records, unknown: source.unknown + unknown } };
      return { ...tally.summary(breakdown), ...selection };
    }),
  );
}

/** What was counted for a replay. */
interface CountedReplay {
  readonly source: TableSource;
  /** The groups that are selected. */
  readonly decided: DecidedTable<Verdict>;
  /** The number of records for which it is not known whether they are selected. */
  readonly unknown: number;
  readonly tally: GroupTally;
  readonly breakdown: CountedBreakdown | undefined;
}

/** Prepares a replay. */
export function replayRun<Figures>(
  policy: Policy,
  options: Omit<ReplayOptions, 'files' | 'reader' | 'traffic' | 'select'>,
  where: DecisionCondition | undefined,
  figuresOf: (counted: CountedReplay) => Figures,
): TableRun<Verdict, Figures> {
  const { breakdown, profile, watch } = options;
  const ruleCount = profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  const run = createSimulation(policy, options).begin();
  const leaves = run.leaves();
  if (leaves === undefined) throw new UnsupportedQueryError('verdicts depend on more than conditions');
  const questions = questionsOf(leaves, (breakdown?.top ?? 0) > 0);
  const selecting = where && new SelectedGroups(where);
  return {
    run: selecting?.watched(run) ?? run,
    ...{ leaves, questions: selecting ? [...questions, selecting.question] : questions },
    ...{ hasTimes: breakdown !== undefined, selecting: selecting?.question },
    figuresOf: async (context, coded, decided) => {
      const { source } = context;
      const place = { file: source.table, number: 0, unit: 'table' } as const;
      const { unknown, ...selected } = selecting?.of(decided) ?? { ...decided, unknown: 0 };
      const tally = new GroupTally(policy, options);
      for (const { verdict, ...part } of selected.groups) tally.add({ verdict, place, parts: [{ first: 0, ...part }] });
      const request = breakdown && { coded, decided: selected, tally, ruleCount, top: breakdown.top };
      const counted = request && (await breakDownTable(context, request));
      await watch?.read?.(decided.records);
      return figuresOf({ source, decided: selected, unknown, tally, breakdown: counted });
    },
  };
}

/**
 * Decides the traffic in a table with two policies. The leaves of both are evaluated over the same distinct values, so this takes as many queries as
 * `replayOnTable`, and one for examples. The summary is that of `impact` on the same records, with examples instead of locations. Throws an
 * `ExternalError` if the engine or the table cannot be read.
 */
export async function impactOnTable(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
  { top, guard, geoip, watch, into }: TableImpactOptions,
  traffic: TableTraffic,
): Promise<EngineResult<TableImpactSummary>> {
  const reason = reasonAgainstImpact([was, becomes], { ...(geoip && { geoip }), guard, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  return runOnTable({ ...traffic, mayWrite: into !== undefined }, watch?.stop, () => {
    const compare = comparing(was, becomes);
    return {
      ...pairPolicies(was, becomes),
      hasTimes: false,
      into,
      figuresOf: async (context, coded, decided, writer) => {
        const tally = impactTally(was, becomes);
        const kinds = kindsOf(context, coded, decided, (verdicts, times) => kindIn(tally, verdicts, times));
        const { keySql } = coded;
        const listing = { kinds, keySql, dimensions: IMPACT_DIMENSIONS, seriesCount: tally.transitionCount, top };
        const keys = await listTableKeys(context, listing);
        const examples = await examplesOf(context, kinds, exchange => tally.certainChange(compare(exchange))?.number);
        const figures = tally.figures(
          top,
          keys.map((ofTransition, number) => ({ keys: ofTransition, first: [], examples: examples[number] ?? [] })),
        );
        await watch?.read?.(decided.records);
        if (into === undefined || writer === undefined) return figures;
        const changes = new Dictionary<string>();
        const written: (WrittenKind | undefined)[] = [];
        const changed = kindsOf(context, coded, decided, verdicts => {
          const rules = tally.certainChange(verdicts)?.rules ?? [undefined, undefined];
          const [was, becomes] = rules.map((rule, side) =>
            rule === undefined ? undefined : into.ruleNames[side]![rule],
          );
          const one = { ...verdicts, rules: [was, becomes] } as const;
          const { change } = verdicts;
          const isSame = change.parts.length === 0;
          const outcomes = [verdicts.was.outcomes, verdicts.becomes.outcomes];
          const series = changes.numberOf(
            isSame ? '' : JSON.stringify([outcomes, one.rules, change.parts, change.isCertain]),
          );
          written[series] = isSame ? undefined : one;
          return { series, listed: [] };
        });
        const rows = await writer.write(
          context,
          changed,
          changed.kinds.map(({ series }) => written[series]),
        );
        return { ...figures, written: { table: into.table, rows, dropped: writer.dropped } };
      },
    };
  });
}

/** Returns examples of each transition: only rows that make it, which the simulator says. */
async function examplesOf(
  context: TableContext,
  kinds: Kinds,
  transitionOf: (exchange: Exchange) => number | undefined,
): Promise<readonly (readonly ChangedExample[])[]> {
  const changed = kinds.kinds.flatMap(({ listed }, kind) => (listed.length > 0 ? kind : []));
  const examples: ChangedExample[][] = [];
  for (const [kind, exchanges] of await exampleRows(context, kinds, changed)) {
    const [number] = kinds.kinds[kind]!.listed;
    const own = exchanges.filter(exchange => transitionOf(exchange) === number);
    examples[number!] = own.slice(0, ImpactTally.examples).map(exampleOf).sort(byTime);
  }
  return examples;
}

/** Unknown times come last, and the same ones in the order of their paths. */
function byTime(a: ChangedExample, b: ChangedExample): number {
  const [one, other] = [a, b].map(({ time = Number.MAX_VALUE }) => time);
  return one! - other! || ((a.path ?? '') < (b.path ?? '') ? -1 : 1);
}

/** What an impact on a table reports, and where changed rows are written. */
export interface TableImpactOptions extends Omit<ImpactOptions, 'files' | 'reader' | 'traffic'> {
  readonly into?:
    | (WrittenTable & {
        /** The names of the rules of both policies, in the order of all phases. */
        readonly ruleNames: readonly [was: readonly string[], becomes: readonly string[]];
      })
    | undefined;
}

/** The impact of a change on the traffic in a table. */
export interface TableImpactSummary extends ImpactSummary {
  /** The table with the rows that change, or may change, and their number; absent if none was requested. */
  readonly written?: {
    readonly table: string;
    readonly rows: number;
    /** Tables that earlier commands had left because they were killed. */
    readonly dropped: readonly string[];
  };
}

/** How rows are chosen. */
export interface RowChoice extends Omit<ReplayOptions, 'files' | 'reader' | 'traffic'> {
  readonly keyOf: (verdict: Verdict) => string;
}

/** Rows of a table, and what was read to choose them. */
export interface ChosenRows extends TrafficSummary {
  readonly rows: readonly Exchange[];
}

/**
 * Returns a row for each different key of the verdicts on the traffic in a table: the least one, so the same each time, as is their order. Throws an
 * `ExternalError` if the engine or the table cannot be read.
 */
export async function chooseRows(
  policy: Policy,
  { keyOf, ...options }: RowChoice,
  traffic: TableTraffic,
): Promise<EngineResult<ChosenRows>> {
  const reason = reasonAgainstEngine(policy, { ...options, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  return runOnTable(traffic, options.watch?.stop, () => {
    const run = createSimulation(policy, options).begin();
    const leaves = run.leaves();
    if (leaves === undefined) throw new UnsupportedQueryError('verdicts depend on more than conditions');
    return {
      ...{ run, leaves, questions: questionsOf(leaves, false), hasTimes: false },
      figuresOf: async (context, coded, decided) => {
        const keys = new Dictionary<string>();
        const series = (verdict: Verdict) => ({ series: keys.numberOf(keyOf(verdict)), listed: [] });
        const { parts, counts } = kindsOf(context, coded, decided, series);
        if (keys.size > MAX_CHOSEN) throw new UnsupportedQueryError('exchanges take too many different paths');
        const { session, source } = context;
        const { sql, names } = wholeColumns(context);
        // Records with answers that none had before are of no kind.
        const seen = [0, ...counts].fill(0);
        const least: string[] = [];
        for (const resultsWith of keys.size === 0 ? [] : parts) {
          const query = `${resultsWith(sql)} select kind, count(*), ${session.dialect.leastList(names)} from results group by kind`;
          for (const [kind, times, row] of await rowsOf(session, query)) {
            const [at, known] = [Number(kind), least[Number(kind)]];
            seen[at]! += Number(times);
            if (known === undefined || row! < known) least[at] = row!;
          }
        }
        for (const [at, count] of [0, ...counts].entries()) requireSame(count, seen[at]!);
        // Engines return kinds in any order.
        const inOrder = least.slice(1).sort();
        return { rows: inOrder.map(row => source.exchangeOf(JSON.parse(row))) };
      },
    };
  });
}

/** They are held in memory. */
const MAX_CHOSEN = 10_000;

/** Where traffic lives. */
export interface TableTraffic extends TrafficTable, EnginePlace {
  /** Which rows are replayed; by default all. */
  readonly select?: RowSelection;
  /** By default, those that take the least time. */
  readonly thresholds?: Partial<Thresholds>;
}

/** What is decided about the records of a table, and how figures follow. */
interface TableRun<Found extends Decided, Figures> {
  readonly run: Decider<Found>;
  readonly leaves: Leaves<Found>;
  readonly questions: readonly Question[];
  readonly hasTimes: boolean;
  /** The question that selects records, if not all of them are reported. */
  readonly selecting?: Question | undefined;
  /** The table that rows are written to. */
  readonly into?: WrittenTable | undefined;
  readonly figuresOf: (
    context: TableContext,
    coded: CodedAnswers,
    decided: DecidedTable<Found>,
    writer: RowWriter | undefined,
  ) => Promise<Figures>;
}

/** Carries out a run. Throws an `ExternalError` if the engine or the table cannot be read. */
async function runOnTable<Found extends Decided, Figures>(
  traffic: TableTraffic,
  stop: AbortSignal | undefined,
  prepare: () => TableRun<Found, Figures>,
): Promise<EngineResult<TrafficSummary & Figures>> {
  return inSession(traffic, stop, async session => {
    const one = prepare();
    const source = await openTable(session, traffic, traffic.select);
    if (one.into === undefined) return runIn({ session, source, writer: undefined }, traffic, one);
    const apart = () => openEngine({ ...traffic, mayWrite: true }, undefined);
    const writer = new RowWriter(session, one.into, apart);
    try {
      await writer.begin(source);
      return await runIn({ session, source, writer }, traffic, one);
    } catch (error) {
      await writer.discard();
      throw error;
    }
  });
}

/** Carries out what one session reads. Throws an `ExternalError` if the engine or the table cannot be read. */
export async function inSession<Summary>(
  traffic: TableTraffic,
  stop: AbortSignal | undefined,
  read: (session: EngineSession) => Promise<Summary>,
): Promise<EngineResult<Summary>> {
  let session: EngineSession | undefined;
  try {
    session = await openEngine(traffic, stop);
    const summary = await read(session);
    // What was written stays.
    return stop?.aborted && traffic.mayWrite !== true ? { kind: 'stopped' } : { kind: 'replayed', summary };
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

/**
 * The sample has 1000 rows: columns with fewer values have few in all, and with more combinations, groups are hardly fewer than records. On Spark, a row
 * whose conditions it evaluates costs about a third of a value that comes back. A lookup takes the time of five tests, and all patterns together
 * that of a few.
 */
const THRESHOLDS: Thresholds = { values: 200, combinations: 700, share: 0.4, keys: 5, patterns: 8 };

/** Every input that is read later than expected takes another attempt; the sample shows nearly all. */
const MAX_ATTEMPTS = 10;

interface Running {
  readonly session: EngineSession;
  readonly source: TableSource;
  readonly writer: RowWriter | undefined;
}

/** Carries out a run in a session. */
export async function runIn<Found extends Decided, Figures>(
  { session, source, writer }: Running,
  traffic: TableTraffic,
  one: TableRun<Found, Figures>,
): Promise<TrafficSummary & Figures> {
  const context: TableContext<Found> = {
    ...(await prepareAsking(source, one)),
    ...{
      session,
      source,
      skipsEmpty: false,
      loaded: [],
      time: UNTIMED,
      intervals: undefined,
      selecting: one.selecting,
    },
    ...{
      plain: new Map(),
      othersRead: new Set(),
      shares: new Map(),
      thresholds: { ...THRESHOLDS, ...traffic.thresholds },
    },
  };
  let skipped = 0;
  let records: number | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      const found = await sumUp({ ...context, skipsEmpty: skipped > 0 }, one, { writer, records });
      if ('figures' in found) {
        const scannedBytes = session.scannedBytes?.();
        const scanned = scannedBytes !== undefined && { scannedBytes };
        return { ...trafficOf(source, found.exchanges, skipped), ...scanned, ...found.figures };
      }
      skipped = found.empty;
      records = found.records - found.empty;
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
  { writer, records }: { readonly writer: RowWriter | undefined; readonly records: number | undefined },
): Promise<
  { readonly exchanges: number; readonly figures: Figures } | { readonly empty: number; readonly records: number }
> {
  await planInputs(context);
  const column = hasTimes && context.timeInput !== undefined ? context.source.timeColumn(context.timeInput) : undefined;
  context.time = column === undefined ? UNTIMED : await timeSql(context.session, column);
  if (hasTimes) context.intervals = await intervalsOf(context);
  const coded = await codeAnswers(context);
  const decided = await decideTableGroups(context, coded);
  if (decided.empty > 0 && !context.skipsEmpty) {
    const empty = await countEmpty(context);
    if (empty > 0) return { empty, records: decided.records };
  }
  if (records !== undefined) requireSame(records, decided.records);
  return { exchanges: decided.records, figures: await figuresOf(context, coded, decided, writer) };
}

async function countEmpty({ session, source }: TableContext): Promise<number> {
  const [row] = await rowsOf(session, `select count(*) from ${source.from} where ${isEmptySql(source.values)}`);
  return Number(row![0]);
}

/** Returns what was read of a table. */
export function trafficOf({ table: file, noRequests }: TableSource, exchanges: number, empty: number): TrafficSummary {
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
  const time = await timesOf(context, request, kinds);
  const { keySql } = coded;
  const listing = { kinds, keySql, dimensions: DIMENSIONS, seriesCount: tally.seriesCount, top };
  return { time, keys: top > 0 ? await listTableKeys(context, listing) : undefined };
}

/** Returns the counts by intervals of time. */
async function timesOf(
  context: TableContext,
  { decided: { groups, records }, ruleCount }: BreakdownRequest,
  kinds: Kinds,
): Promise<TimeData> {
  if (context.selecting !== undefined) {
    const results = kinds.parts.map(part => part());
    context.intervals = await intervalsOf(context, results);
  }
  const { width, timed = 0, areByGroup } = context.intervals!;
  const buckets = new Map<number, { exchanges: number; readonly series: number[] }>();
  const add = (start: number, kind: number, count: number) => {
    const bucket = buckets.get(start) ?? { exchanges: 0, series: Array.from({ length: ruleCount }, () => 0) };
    buckets.set(start, bucket);
    bucket.exchanges += count;
    const { series, listed } = kinds.kinds[kind]!;
    addAt(bucket.series, series, count);
    for (const rule of listed) if (rule < ruleCount) addAt(bucket.series, rule, count);
  };
  if (timed > 0 && areByGroup)
    for (const [at, { intervals }] of groups.entries())
      for (const [start, count] of intervals) if (start !== null) add(start, kinds.kindOfGroup[at]!, count);
  if (timed > 0 && !areByGroup) await countByKind(context, kinds, add);
  const inOrder = [...buckets].sort(([a], [b]) => a - b).map(([start, bucket]) => ({ start, ...bucket }));
  return { width, buckets: inOrder, untimed: records - timed };
}

/** Counts each kind by interval, in another scan. */
async function countByKind(
  { session, intervals, selecting }: TableContext,
  { parts, timed }: Kinds,
  add: (start: number, kind: number, count: number) => void,
): Promise<void> {
  const list = `select ${startSql('t', intervals!.width)} as start, kind from results where t is not null${selecting === undefined ? '' : ' and kind > 0'}`;
  const seen = timed.map(() => 0);
  for (const results of parts)
    for await (const rows of session.batches(
      `${results()} select start, kind, count(*) from (${list}) timed group by start, kind`,
    ))
      for (const [start, number, count] of rows) {
        const kind = Number(number) - 1;
        // Records with answers that none had before are of no kind.
        if (kind < 0) throw new TableChanged();
        seen[kind]! += Number(count);
        add(Number(start), kind, Number(count));
      }
  for (const [kind, count] of timed.entries()) requireSame(count, seen[kind]!);
}

function addAt(counts: number[], at: number, count: number): void {
  while (counts.length <= at) counts.push(0);
  counts[at]! += count;
}

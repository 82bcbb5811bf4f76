/** Replays the traffic in a table of another engine, and compares policies on it. */
import type { Policy } from '@tollgate/policy';
import {
  type ComparedPolicy,
  createSimulation,
  GroupTally,
  type ImpactOptions,
  type ImpactSummary,
  type Leaves,
  type ReplayOptions,
  type ReplaySummary,
  type TrafficSummary,
} from '@tollgate/simulator';
import { openClickhouse } from '../engines/clickhouse.ts';
import { type EngineSession, unreadableTable } from '../engines/engine.ts';
import { openPostgres } from '../engines/postgres.ts';
import { openSpark } from '../engines/spark.ts';
import { openTrino } from '../engines/trino.ts';
import {
  type EngineResult,
  impactTally,
  kindIn,
  pairPolicies,
  reasonAgainstEngine,
  reasonAgainstImpact,
} from '../questions/paired-policies.ts';
import { IMPACT_DIMENSIONS, type Question, questionsOf } from '../questions/questions.ts';
import { type Decided, type Decider, Growth, prepareAsking } from '../questions/run-context.ts';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { breakDownTable, kindsOf, listTableKeys } from './break-down-table.ts';
import {
  type CodedAnswers,
  codeAnswers,
  isEmptySql,
  planInputs,
  rowsOf,
  type TableContext,
  timeSql,
} from './code-answers.ts';
import { type DecidedTable, decideTableGroups, TableChanged } from './decide-table-groups.ts';
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
  const reason = reasonAgainstEngine(policy, { ...options, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  const { breakdown, profile, watch } = options;
  const ruleCount = profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  const place = { file: traffic.table, number: 0, unit: 'table' } as const;
  return runOnTable(traffic, watch?.stop, () => {
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
        return tally.summary(counted);
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
export interface TableTraffic extends TrafficTable {
  readonly engine: TableEngine;
  /** Where the engine is; by default what its environment variables say. */
  readonly url?: string | undefined;
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
  const session = stoppable(await openEngine(traffic.engine, traffic.url), stop);
  const cancel = () => void session.cancel().catch(() => undefined);
  stop?.addEventListener('abort', cancel, { once: true });
  try {
    const summary = await runIn(session, traffic, prepare());
    return stop?.aborted ? { kind: 'stopped' } : { kind: 'replayed', summary };
  } catch (error) {
    if (stop?.aborted) return { kind: 'stopped' };
    if (error instanceof UnsupportedQueryError) return { kind: 'unsuited', reason: error.message };
    if (error instanceof TableChanged)
      throw unreadableTable(
        `\`${traffic.table}\` changed while it was read; restrict it to records that are complete, such as \`(select * from logs where day = …)\``,
      );
    throw error;
  } finally {
    stop?.removeEventListener('abort', cancel);
    await session.close();
  }
}

/** Returns a session that starts no query after the stop, which may come between two. */
function stoppable(session: EngineSession, stop: AbortSignal | undefined): EngineSession {
  const batches = async function* (sql: string) {
    stop?.throwIfAborted();
    yield* session.batches(sql);
  };
  return { ...session, batches };
}

/** Every input that is read later than expected takes another attempt; the sample shows nearly all. */
const MAX_ATTEMPTS = 10;

async function runIn<Found extends Decided, Figures>(
  session: EngineSession,
  traffic: TableTraffic,
  one: TableRun<Found, Figures>,
): Promise<TrafficSummary & Figures> {
  const source = await openTable(session, traffic);
  const context: TableContext<Found> = {
    ...(await prepareAsking(source, one)),
    ...{ session, source, skipsEmpty: false, loaded: [], time: { sql: 'null', join: '', column: undefined } },
  };
  let skipped = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      const found = await sumUp({ ...context, skipsEmpty: skipped > 0 }, one);
      if (typeof found === 'number') skipped = found;
      else return { ...trafficOf(source, found.exchanges, skipped), ...found.figures };
    } catch (error) {
      if (!(error instanceof Growth)) throw error;
    }
  }
  throw new UnsupportedQueryError('conditions read too many different fields');
}

/** Returns the number of records without any field instead, if they have to be left out. */
async function sumUp<Found extends Decided, Figures>(
  context: TableContext<Found>,
  { hasTimes, figuresOf }: TableRun<Found, Figures>,
): Promise<{ readonly exchanges: number; readonly figures: Figures } | number> {
  planInputs(context);
  if (hasTimes) context.time = await timeSql(context);
  const coded = await codeAnswers(context);
  const decided = await decideTableGroups(context, coded);
  if (decided.empty > 0 && !context.skipsEmpty) {
    const empty = await countEmpty(context);
    if (empty > 0) return empty;
  }
  return { exchanges: coded.records, figures: await figuresOf(context, coded, decided) };
}

async function countEmpty({ session, source }: TableContext): Promise<number> {
  const [row] = await rowsOf(session, `select count(*) from ${source.from} where ${isEmptySql(source.values)}`);
  return Number(row![0]);
}

function trafficOf({ table: file }: TableSource, exchanges: number, skipped: number): TrafficSummary {
  return {
    exchanges,
    files: [{ file, exchanges, skipped }],
    skipped: skipped === 0 ? [] : [{ reason: 'traffic/no-fields', count: skipped, first: [] }],
  };
}

/** The engines that hold traffic in tables. */
export const TABLE_ENGINES = ['clickhouse', 'postgres', 'spark', 'trino'] as const;

/** One of {@link TABLE_ENGINES}. */
export type TableEngine = (typeof TABLE_ENGINES)[number];

const OPEN: Readonly<Record<TableEngine, (url: string | undefined) => Promise<EngineSession>>> = {
  clickhouse: openClickhouse,
  postgres: openPostgres,
  spark: openSpark,
  trino: openTrino,
};

/** Connects to an engine. Throws an `ExternalError` if that fails. */
function openEngine(engine: TableEngine, url: string | undefined): Promise<EngineSession> {
  return OPEN[engine](url);
}

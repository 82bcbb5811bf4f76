import type { Policy } from '@tollgate/policy';
import { createSimulation, GroupTally, type ReplayOptions, type ReplaySummary } from '@tollgate/simulator';
import { Unsuited } from '../columns/unsuited.ts';
import { unreadableTable } from '../engines/engine-errors.ts';
import type { EngineSession } from '../engines/engine-session.ts';
import { Growth } from '../plan/growth.ts';
import { questionsOf } from '../plan/questions.ts';
import { prepareAsking } from '../replay/run-context.ts';
import { reasonAgainstEngine } from '../replay/unsuited-replay.ts';
import { breakDownTable } from './break-down-table.ts';
import { codeAnswers } from './code-answers.ts';
import { decideTableGroups, TableChanged } from './decide-table-groups.ts';
import { openEngine, type TableEngine } from './open-engine.ts';
import { isEmptySql, planInputs, rowsOf, type TableContext } from './table-context.ts';
import { openTable, type TableSource, type TrafficTable } from './table-source.ts';
import { timeSql } from './table-times.ts';

/** Where traffic lives. */
export interface TableTraffic extends TrafficTable {
  readonly engine: TableEngine;
  /** Where the engine is; by default what its environment variables say. */
  readonly url?: string | undefined;
}

/** The result of a replay on a table, or the reason why that cannot be exact. */
export type TableReplay =
  | { readonly kind: 'replayed'; readonly summary: ReplaySummary }
  | { readonly kind: 'unsuited'; readonly reason: string }
  /** It was stopped, and nothing is known. */
  | { readonly kind: 'stopped' };

/**
 * Replays the traffic in a table through a policy: the engine scans and groups, the policy is evaluated here, once for each distinct value and each
 * group. The summary is that of `replay` on the same records, except that the locations of examples are unknown. Throws an `ExternalError` if
 * the engine or the table cannot be read.
 */
export async function replayOnTable(
  policy: Policy,
  options: Omit<ReplayOptions, 'files' | 'traffic'>,
  traffic: TableTraffic,
): Promise<TableReplay> {
  const reason = reasonAgainstEngine(policy, { ...options, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  const stop = options.watch?.stop;
  const session = stoppable(await openEngine(traffic.engine, traffic.url), stop);
  const cancel = () => void session.cancel().catch(() => undefined);
  stop?.addEventListener('abort', cancel, { once: true });
  try {
    const summary = await replayIn(session, policy, { options, traffic });
    return stop?.aborted ? { kind: 'stopped' } : { kind: 'replayed', summary };
  } catch (error) {
    if (stop?.aborted) return { kind: 'stopped' };
    if (error instanceof Unsuited) return { kind: 'unsuited', reason: error.message };
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
const MOST_ATTEMPTS = 10;

interface Replaying {
  readonly options: Omit<ReplayOptions, 'files' | 'traffic'>;
  readonly traffic: TableTraffic;
}

async function replayIn(
  session: EngineSession,
  policy: Policy,
  { options, traffic }: Replaying,
): Promise<ReplaySummary> {
  const source = await openTable(session, traffic);
  const run = createSimulation(policy, options).begin();
  const leaves = run.leaves();
  if (leaves === undefined) throw new Unsuited('verdicts depend on more than conditions');
  const questions = questionsOf(leaves.leaves, (options.breakdown?.top ?? 0) > 0);
  const asking = prepareAsking(source, { run, leaves, questions });
  const context: TableContext = {
    ...asking,
    ...{ session, source, skipsEmpty: false, loaded: [], time: { sql: 'null', join: '', column: undefined } },
  };
  let skipped = 0;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      const found = await sumUp({ ...context, skipsEmpty: skipped > 0 }, policy, options);
      if (typeof found === 'number') skipped = found;
      else return withSkipped(found, source, skipped);
    } catch (error) {
      if (!(error instanceof Growth)) throw error;
    }
  }
  throw new Unsuited('conditions read too many different fields');
}

/** Returns the number of records without any field instead, if they have to be left out. */
async function sumUp(
  context: TableContext,
  policy: Policy,
  options: Replaying['options'],
): Promise<ReplaySummary | number> {
  planInputs(context);
  context.time = await timeSql(context);
  const coded = await codeAnswers(context);
  const decided = await decideTableGroups(context, coded);
  if (decided.empty > 0 && !context.skipsEmpty) {
    const empty = await countEmpty(context);
    if (empty > 0) return empty;
  }
  const tally = new GroupTally(policy, options);
  const place = { file: context.source.table, number: 0, unit: 'table' } as const;
  for (const { mayHaveAllHeaders, ...group } of decided.groups)
    tally.add({ ...group, place, mayHaveAllHeaders: message => mayHaveAllHeaders[message] });
  const ruleCount = options.profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  const { breakdown } = options;
  const counted =
    breakdown && (await breakDownTable(context, { coded, decided, tally, ruleCount, top: breakdown.top }));
  await options.watch?.read?.(coded.records);
  return { exchanges: coded.records, files: [], skipped: [], ...tally.summary(counted) };
}

async function countEmpty({ session, source }: TableContext): Promise<number> {
  const [row] = await rowsOf(session, `select count(*) from ${source.from} where ${isEmptySql(source.values)}`);
  return Number(row![0]);
}

function withSkipped(summary: ReplaySummary, { table: file }: TableSource, skipped: number): ReplaySummary {
  return {
    ...summary,
    files: [{ file, exchanges: summary.exchanges, skipped }],
    skipped: skipped === 0 ? [] : [{ reason: 'traffic/no-fields', count: skipped, first: [] }],
  };
}

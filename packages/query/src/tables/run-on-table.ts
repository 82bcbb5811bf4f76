import type { Leaves, TrafficSummary } from '@tollgate/simulator';
import { Unsuited } from '../columns/unsuited.ts';
import { unreadableTable } from '../engines/engine-errors.ts';
import type { EngineSession } from '../engines/engine-session.ts';
import { Growth } from '../plan/growth.ts';
import type { Question } from '../plan/questions.ts';
import { type Decided, type Decider, prepareAsking } from '../plan/run-context.ts';
import type { EngineResult } from '../replay/engine-result.ts';
import { type CodedAnswers, codeAnswers } from './code-answers.ts';
import { type DecidedTable, decideTableGroups, TableChanged } from './decide-table-groups.ts';
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

/** What is decided about the records of a table, and how figures follow. */
export interface TableRun<Found extends Decided, Figures> {
  readonly run: Decider<Found>;
  readonly leaves: Leaves<Found>;
  readonly questions: readonly Question[];
  readonly hasTimes: boolean;
  readonly figuresOf: (context: TableContext, coded: CodedAnswers, decided: DecidedTable<Found>) => Promise<Figures>;
}

/** Carries out a run. Throws an `ExternalError` if the engine or the table cannot be read. */
export async function runOnTable<Found extends Decided, Figures>(
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
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      const found = await sumUp({ ...context, skipsEmpty: skipped > 0 }, one);
      if (typeof found === 'number') skipped = found;
      else return { ...trafficOf(source, found.exchanges, skipped), ...found.figures };
    } catch (error) {
      if (!(error instanceof Growth)) throw error;
    }
  }
  throw new Unsuited('conditions read too many different fields');
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

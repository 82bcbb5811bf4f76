import type { Leaves, ReplayOptions, SelectionSummary, TrafficSummary } from '@tollgate/simulator';
import { answerQuestions, type CodedAnswers } from '../answers/answer-questions.ts';
import { HeadersUnsuited, Unsuited } from '../columns/unsuited.ts';
import { queryFailure } from '../duckdb/query-failure.ts';
import { openSession, type Session } from '../duckdb/session.ts';
import { Growth } from '../plan/growth.ts';
import type { Question } from '../plan/questions.ts';
import {
  type Decided,
  type Decider,
  loadInputs,
  prepareRun,
  type RunContext,
  tellingInputs,
} from '../plan/run-context.ts';
import { openSource } from '../sources/open-source.ts';
import type { HeaderColumns, LoadedFiles } from '../sources/source.ts';
import { type DecidedGroup, decideGroups } from './decide-groups.ts';
import type { EngineResult } from './engine-result.ts';
import { type RowSelection, selectRows } from './select-rows.ts';

/** Settings of the engine. */
export interface DuckdbOptions {
  /** One per processor by default. */
  readonly threads?: number | undefined;
  /** From how many distinct values of an input on conditions are tested in SQL where that is exact; 20,000 by default. */
  readonly manyValues?: number | undefined;
}

/** So many values take as long in SQL as one by one. */
const MANY_VALUES = 20_000;

/** The recordings of a run. */
export interface DuckdbTraffic extends Pick<ReplayOptions, 'files' | 'traffic' | 'watch'> {
  readonly select?: RowSelection | undefined;
}

/** What is decided about recordings, and how figures follow. */
export interface DuckdbRun<Found extends Decided, Figures> {
  readonly run: Decider<Found>;
  readonly leaves: Leaves<Found>;
  readonly questions: readonly Question[];
  readonly figuresOf: (context: RunContext<Found>, decided: DecidedFiles<Found>) => Promise<Figures>;
}

/** The exchanges of recordings, decided. */
interface DecidedFiles<Found extends Decided> {
  readonly answers: CodedAnswers;
  readonly groups: readonly DecidedGroup<Found>[];
  readonly files: LoadedFiles;
}

type DuckdbFigures<Figures> = TrafficSummary & { readonly selection?: SelectionSummary } & Figures;

/** Carries out a run. `prepare` is called for each attempt to read the recordings. */
export async function runOnDuckdb<Found extends Decided, Figures>(
  traffic: DuckdbTraffic,
  { threads, manyValues = MANY_VALUES }: DuckdbOptions,
  prepare: () => DuckdbRun<Found, Figures>,
): Promise<EngineResult<DuckdbFigures<Figures>>> {
  const stop = traffic.watch?.stop;
  let session: Session | undefined;
  try {
    session = await openSession(threads, stop);
    return { kind: 'replayed', summary: await runWithHeaders({ session, manyValues }, traffic, prepare) };
  } catch (error) {
    if (stop?.aborted) return { kind: 'stopped' };
    if (error instanceof Unsuited) return { kind: 'unsuited', reason: error.message };
    // Queries fail for lack of memory or disk, which deciding in process does not need.
    const failure = queryFailure(error);
    if (failure !== undefined) return { kind: 'unsuited', reason: failure.reason };
    throw error;
  } finally {
    await session?.close();
  }
}

/** Every input that is read later than expected takes another attempt; the sample shows nearly all. */
const MOST_ATTEMPTS = 10;

type Opened = Pick<RunContext, 'session' | 'manyValues'>;

async function runWithHeaders<Found extends Decided, Figures>(
  opened: Opened,
  traffic: DuckdbTraffic,
  prepare: () => DuckdbRun<Found, Figures>,
): Promise<DuckdbFigures<Figures>> {
  try {
    return await runIn(opened, { ...traffic, headers: 'each' }, prepare());
  } catch (error) {
    if (error instanceof HeadersUnsuited) return await runIn(opened, { ...traffic, headers: 'whole' }, prepare());
    throw error;
  }
}

async function runIn<Found extends Decided, Figures>(
  opened: Opened,
  { headers, ...traffic }: DuckdbTraffic & { readonly headers: HeaderColumns },
  one: DuckdbRun<Found, Figures>,
): Promise<DuckdbFigures<Figures>> {
  const source = await openSource(opened.session, traffic.files, { ...traffic.traffic, headers });
  const context = await prepareRun(source, { ...opened, ...one });
  let files: LoadedFiles | undefined;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (files === undefined || !isLoaded(context)) files = await loadInputs(context);
    try {
      await refuseEmptyRecords(context);
      return await sumUp(context, { traffic, files, one });
    } catch (error) {
      if (!(error instanceof Growth)) throw error;
    }
  }
  throw new Unsuited('conditions read too many different fields');
}

function isLoaded(context: RunContext): boolean {
  const { questions, judgeReads, loaded } = context;
  const readings = [...questions.map(({ reads }) => reads), judgeReads];
  return readings.every(reads => tellingInputs(context, reads).every(input => loaded.includes(input)));
}

/** A record without any known field is not an exchange; whether it has one that is not loaded is not known. */
async function refuseEmptyRecords({ session, loaded, timeInput, source }: RunContext): Promise<void> {
  const telling = loaded
    .filter(input => input !== timeInput)
    .map(input => {
      const isPresence = source.layout.inputs.all[input]!.kind === 'presence';
      return isPresence ? `not coalesce(c${input}, false)` : `c${input} is null`;
    });
  const [[count] = []] = await session.rows(`select count(*) from raw where ${telling.join(' and ') || 'true'}`);
  if (Number(count) > 0) throw new Unsuited('some records have none of the fields that are read');
}

interface Summing<Found extends Decided, Figures> {
  readonly traffic: DuckdbTraffic;
  readonly files: LoadedFiles;
  readonly one: DuckdbRun<Found, Figures>;
}

async function sumUp<Found extends Decided, Figures>(
  context: RunContext<Found>,
  { traffic: { select, watch }, files, one }: Summing<Found, Figures>,
): Promise<DuckdbFigures<Figures>> {
  const answers = await answerQuestions(context);
  if (answers.hasFarTimes && select !== undefined) throw new Unsuited('some times are too far away to be compared');
  const selection = select && (await selectRows(context.session, select, files));
  const groups = await decideGroups(context, answers, files);
  const figures = await one.figuresOf(context, { answers, groups, files });
  const exchanges = files.files.reduce((sum, file) => sum + file.exchanges, 0);
  await watch?.read?.(exchanges);
  return {
    exchanges,
    files: files.files.map(file => ({ ...file, skipped: 0 })),
    skipped: [],
    ...(selection && { selection }),
    ...figures,
  };
}

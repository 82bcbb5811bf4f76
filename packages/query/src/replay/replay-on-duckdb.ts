import type { Policy } from '@tollgate/policy';
import { createSimulation, GroupTally, type ReplayOptions, type ReplaySummary } from '@tollgate/simulator';
import { HeadersUnsuited, Unsuited } from '../columns/unsuited.ts';
import { queryFailure } from '../duckdb/query-failure.ts';
import { openSession, type Session } from '../duckdb/session.ts';
import { Growth } from '../plan/growth.ts';
import { inTurns } from '../plan/in-turns.ts';
import { questionsOf } from '../plan/questions.ts';
import { openSource } from '../sources/open-source.ts';
import type { HeaderColumns, LoadedFiles } from '../sources/source.ts';
import { answerQuestions } from './answer-questions.ts';
import { breakDown } from './break-down.ts';
import { decideGroups } from './decide-groups.ts';
import { loadInputs, prepareRun, type RunContext, tellingInputs } from './run-context.ts';
import { selectRows } from './select-rows.ts';
import { reasonAgainstDuckdb } from './unsuited-replay.ts';

/** The result of a replay on DuckDB, or why it cannot give that of `replay`. */
export type DuckdbReplay =
  | { readonly kind: 'replayed'; readonly summary: ReplaySummary }
  /** `stop` ended the replay, of which nothing is known. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unsuited'; readonly reason: string };

/** Settings of the engine. */
export interface DuckdbOptions {
  /** One per processor by default. */
  readonly threads?: number | undefined;
  /** From how many distinct values of an input on conditions are tested in SQL where that is exact; 2,000 by default. */
  readonly manyValues?: number | undefined;
}

/** Fewer values are evaluated as fast one by one. */
const MANY_VALUES = 2000;

/**
 * Replays recorded traffic on DuckDB: the engine scans and groups, the policy is evaluated once for each distinct value and each group. The summary
 * equals that of `replay`, except that counts of keys are always exact. Where that cannot be guaranteed, the result says why.
 */
export async function replayOnDuckdb(
  policy: Policy,
  options: ReplayOptions,
  { threads, manyValues = MANY_VALUES }: DuckdbOptions = {},
): Promise<DuckdbReplay> {
  const reason = reasonAgainstDuckdb(policy, options);
  if (reason !== undefined) return { kind: 'unsuited', reason };
  const stop = options.watch?.stop;
  let session: Session | undefined;
  try {
    session = await openSession(threads, stop);
    return { kind: 'replayed', summary: await replayWithHeaders({ session, manyValues }, policy, options) };
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

async function replayWithHeaders(opened: Opened, policy: Policy, options: ReplayOptions): Promise<ReplaySummary> {
  try {
    return await replayIn(opened, policy, { ...options, headers: 'each' });
  } catch (error) {
    if (error instanceof HeadersUnsuited) return await replayIn(opened, policy, { ...options, headers: 'whole' });
    throw error;
  }
}

async function replayIn(
  opened: Opened,
  policy: Policy,
  { headers, ...options }: ReplayOptions & { readonly headers: HeaderColumns },
): Promise<ReplaySummary> {
  const source = await openSource(opened.session, options.files, { ...options.traffic, headers });
  const run = createSimulation(policy, options).begin();
  const leaves = run.leaves();
  if (leaves === undefined) throw new Unsuited('verdicts depend on more than conditions');
  const top = options.breakdown?.top ?? 0;
  const { profile } = options;
  const context = prepareRun(source, { ...opened, profile, run, leaves, questions: questionsOf(leaves, top > 0) });
  let files: LoadedFiles | undefined;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (files === undefined || !isLoaded(context)) files = await loadInputs(context);
    try {
      await refuseEmptyRecords(context);
      return await sumUp(context, { policy, options, files });
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

interface Summing {
  readonly policy: Policy;
  readonly options: ReplayOptions;
  readonly files: LoadedFiles;
}

async function sumUp(context: RunContext, { policy, options, files }: Summing): Promise<ReplaySummary> {
  const answers = await answerQuestions(context);
  const { select } = options;
  if (answers.hasFarTimes && select !== undefined) throw new Unsuited('some times are too far away to be compared');
  const selection = select && (await selectRows(context.session, select, files));
  const groups = await decideGroups(context, answers, files);
  const tally = new GroupTally(policy, options);
  for await (const part of inTurns(groups, context.session.stop)) {
    for (const group of part) tally.add(group);
  }
  const ruleCount = options.profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  const { breakdown } = options;
  const counted = breakdown && (await breakDown(context, { answers, groups, tally, ruleCount, top: breakdown.top }));
  const exchanges = files.files.reduce((sum, file) => sum + file.exchanges, 0);
  await options.watch?.read?.(exchanges);
  return {
    exchanges,
    files: files.files.map(file => ({ ...file, skipped: 0 })),
    skipped: [],
    ...(selection && { selection }),
    ...tally.summary(counted),
  };
}

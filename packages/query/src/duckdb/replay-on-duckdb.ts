/** Replays recordings, and compares policies on them, with DuckDB: opens the files as columns, runs the steps, and sums up. */
import { stat } from 'node:fs/promises';
import { ExternalError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import {
  type ComparedPolicy,
  createSimulation,
  type FileSummary,
  GroupTally,
  type ImpactOptions,
  type ImpactSummary,
  ImpactTally,
  isInShare,
  type Leaves,
  NumberedSample,
  type ReplayOptions,
  type ReplaySummary,
  type SelectionSummary,
  type TrafficSelection,
  type TrafficSummary,
} from '@tollgate/simulator';
import type { ReadTrafficOptions, RecordLocation } from '@tollgate/traffic';
import { SERVER_NAMES } from '@tollgate/traffic/columns';
import { inspectTraffic, readTraffic } from '@tollgate/traffic-node';
import { answerQuestions, type CodedAnswers } from '../questions/answer-questions.ts';
import {
  type EngineResult,
  impactTally,
  type Kind,
  kindIn,
  pairPolicies,
  reasonAgainstDuckdb,
  reasonAgainstImpact,
} from '../questions/paired-policies.ts';
import { IMPACT_DIMENSIONS, type Question, questionsOf } from '../questions/questions.ts';
import {
  type Decided,
  type Decider,
  decisiveInputs,
  Growth,
  loadInputs,
  prepareRun,
  type RunContext,
} from '../questions/run-context.ts';
import { inTurns } from '../questions/turns.ts';
import { UnsupportedHeadersError, UnsupportedQueryError } from '../recordings/column-record.ts';
import { openSession, queryFailure, type Session } from '../recordings/duckdb-session.ts';
import { openJsonLines } from '../recordings/json-source.ts';
import { openParquet } from '../recordings/parquet-source.ts';
import {
  inRange,
  type LoadedFiles,
  type RecordingFile,
  type Source,
  type SourceOptions,
  type TimeRange,
} from '../recordings/source.ts';
import { breakDown, listKeys, writeResults } from './break-down.ts';
import { type DecidedGroup, decideGroups } from './decide-groups.ts';

/**
 * Replays recorded traffic on DuckDB: the engine scans and groups, the policy is evaluated once for each distinct value and each group. The summary
 * equals that of `replay`, except that counts of keys are always exact. Where that cannot be guaranteed, the result says why.
 */
export async function replayOnDuckdb(
  policy: Policy,
  options: Omit<ReplayOptions, 'reader'>,
  settings: DuckdbOptions = {},
): Promise<EngineResult<ReplaySummary>> {
  const reason = reasonAgainstDuckdb(policy, options);
  if (reason !== undefined) return { kind: 'unsuited', reason };
  const { breakdown, profile } = options;
  const ruleCount = profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  return runOnDuckdb(options, settings, () => {
    const run = createSimulation(policy, options).begin();
    const leaves = run.leaves();
    if (leaves === undefined) throw new UnsupportedQueryError('verdicts depend on more than conditions');
    return {
      ...{ run, leaves, questions: questionsOf(leaves, (breakdown?.top ?? 0) > 0) },
      figuresOf: async (context, { answers, groups }) => {
        const tally = new GroupTally(policy, options);
        for await (const part of inTurns(groups, context.session.stop)) for (const group of part) tally.add(group);
        const request = breakdown && { answers, groups, tally, ruleCount, top: breakdown.top };
        return tally.summary(request && (await breakDown(context, request)));
      },
    };
  });
}

/**
 * Decides recorded traffic with two policies on DuckDB. The leaves of both are evaluated over the same distinct values. The summary equals that of
 * `impact`, except that counts of keys are always exact. Where that cannot be guaranteed, the result says why.
 */
export async function impactOnDuckdb(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
  { top, guard, ...traffic }: Omit<ImpactOptions, 'reader'>,
  settings: DuckdbOptions = {},
): Promise<EngineResult<ImpactSummary>> {
  const reason = reasonAgainstImpact([was, becomes], { ...traffic, guard });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  return runOnDuckdb({ ...traffic, isPaired: true }, settings, () => ({
    ...pairPolicies(was, becomes),
    figuresOf: async (context, { answers, groups, files }) => {
      const tally = impactTally(was, becomes);
      const kinds = await writeResults(context, {
        ...{ answers, groups },
        kindOf: ({ verdict, parts }) => {
          const times = parts.reduce((sum, part) => sum + part.times, 0);
          return kindIn(tally, verdict, times);
        },
      });
      const { transitionCount: seriesCount } = tally;
      const listing = { keys: answers.keys, dimensions: IMPACT_DIMENSIONS, kinds, seriesCount, top };
      const keys = await listKeys(context, listing);
      const first = await firstOf(context, { kinds, seriesCount, files });
      return tally.figures(
        top,
        keys.map((ofTransition, at) => ({ keys: ofTransition, first: first[at]! })),
      );
    },
  }));
}

interface FirstRequest {
  readonly kinds: readonly Kind[];
  readonly seriesCount: number;
  readonly files: LoadedFiles;
}

/** Returns the locations of the first exchanges of each series. */
async function firstOf(
  { session }: RunContext,
  { kinds, seriesCount, files }: FirstRequest,
): Promise<readonly (readonly RecordLocation[])[]> {
  const rows = Array.from({ length: seriesCount }, (): number[] => []);
  const query = `select kind, rid::double from results
    qualify row_number() over (partition by kind order by rid) <= ${ImpactTally.examples}`;
  for (const [kind, row] of await session.rows(query))
    for (const series of kinds[Number(kind)]!.listed) rows[series]!.push(Number(row));
  return rows.map(all =>
    all
      .sort((a, b) => a - b)
      .slice(0, ImpactTally.examples)
      .map(row => files.locationOf(row)),
  );
}

/** Settings of the engine. */
export interface DuckdbOptions {
  /** One per processor by default. */
  readonly threads?: number | undefined;
  /** From how many distinct values of an input on conditions are tested in SQL where that is exact; 20,000 by default. */
  readonly manyValues?: number | undefined;
  /** The number of rows that show which columns have few values; 8192 by default. */
  readonly firstRows?: number | undefined;
}

/** Reading so many rows takes 50 ms. */
const FIRST_ROWS = 8192;

/** So many values take as long in SQL as one by one. */
const MANY_VALUES = 20_000;

/** The recordings of a run. */
interface DuckdbTraffic extends Pick<ReplayOptions, 'files' | 'traffic' | 'watch'> {
  readonly select?: RowSelection | undefined;
  /** Whether two policies decide, whose groups take twice as much memory. */
  readonly isPaired?: boolean;
}

/** What is decided about recordings, and how figures follow. */
interface DuckdbRun<Found extends Decided, Figures> {
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
async function runOnDuckdb<Found extends Decided, Figures>(
  traffic: DuckdbTraffic,
  { threads, manyValues = MANY_VALUES, firstRows = FIRST_ROWS }: DuckdbOptions,
  prepare: () => DuckdbRun<Found, Figures>,
): Promise<EngineResult<DuckdbFigures<Figures>>> {
  const stop = traffic.watch?.stop;
  let session: Session | undefined;
  try {
    const bytes = (await sizeOf(traffic.files)) * (traffic.isPaired ? 2 : 1);
    session = await openSession({ threads, stop, bytes });
    return { kind: 'replayed', summary: await runWithHeaders({ session, manyValues, firstRows }, traffic, prepare) };
  } catch (error) {
    if (stop?.aborted) return { kind: 'stopped' };
    if (error instanceof UnsupportedQueryError) return { kind: 'unsuited', reason: error.message };
    // Queries fail for lack of memory or disk, which deciding in process does not need.
    const failure = queryFailure(error);
    if (failure !== undefined) return { kind: 'unsuited', reason: failure.reason };
    throw error;
  } finally {
    await session?.close();
  }
}

/** What a byte of compressed JSON lines counts for. */
const COMPRESSION = 8;

async function sizeOf(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    const size = await stat(file).then(
      found => found.size,
      () => 0,
    );
    bytes += size * (/[.](?:gz|zst)$/.test(file) ? COMPRESSION : 1);
  }
  return bytes;
}

/** Every input that is read later than expected takes another attempt; the sample shows nearly all. */
const MAX_ATTEMPTS = 20;

type Opened = Pick<RunContext, 'session' | 'manyValues'> & Pick<SourceOptions, 'firstRows'>;

async function runWithHeaders<Found extends Decided, Figures>(
  opened: Opened,
  traffic: DuckdbTraffic,
  prepare: () => DuckdbRun<Found, Figures>,
): Promise<DuckdbFigures<Figures>> {
  try {
    return await runIn(opened, { ...traffic, headers: 'each' }, prepare());
  } catch (error) {
    if (error instanceof UnsupportedHeadersError)
      return await runIn(opened, { ...traffic, headers: 'whole' }, prepare());
    throw error;
  }
}

async function runIn<Found extends Decided, Figures>(
  opened: Opened,
  { headers, ...traffic }: DuckdbTraffic & Pick<SourceOptions, 'headers'>,
  one: DuckdbRun<Found, Figures>,
): Promise<DuckdbFigures<Figures>> {
  const empty = await emptyFiles(traffic);
  const told = traffic.files.filter(file => !empty.has(file));
  const range = rangeOf(traffic.select);
  const { session, firstRows } = opened;
  const source = await openSource(session, told, { ...traffic.traffic, headers, range, firstRows });
  const context = await prepareRun(source, { ...opened, ...one });
  let files: LoadedFiles | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (files === undefined || !isLoaded(context)) files = await loadInputs(context);
    try {
      return await sumUp(context, { traffic, files, one, empty });
    } catch (error) {
      if (!(error instanceof Growth)) throw error;
    }
  }
  throw new UnsupportedQueryError('conditions read too many different fields');
}

function isLoaded(context: RunContext): boolean {
  const { questions, judgeReads, loaded } = context;
  const readings = [...questions.map(({ reads }) => reads), judgeReads];
  return readings.every(reads => decisiveInputs(context, reads).every(input => loaded.includes(input)));
}

interface Summing<Found extends Decided, Figures> {
  readonly traffic: DuckdbTraffic;
  readonly files: LoadedFiles;
  readonly one: DuckdbRun<Found, Figures>;
  readonly empty: ReadonlyMap<string, FileSummary>;
}

async function sumUp<Found extends Decided, Figures>(
  context: RunContext<Found>,
  { traffic, files, one, empty }: Summing<Found, Figures>,
): Promise<DuckdbFigures<Figures>> {
  const { select, watch } = traffic;
  const answers = await answerQuestions(context);
  const selection = select && (await selectRows(context.session, select, files));
  const groups = await decideGroups(context, answers, files);
  const figures = await one.figuresOf(context, { answers, groups, files });
  const exchanges = files.files.reduce((sum, file) => sum + file.exchanges, 0);
  await watch?.read?.(exchanges);
  return {
    exchanges,
    files: [...new Set(traffic.files)].map(name => empty.get(name) ?? files.files.find(({ file }) => file === name)!),
    skipped: skippedByReason(files),
    ...(selection && { selection }),
    ...figures,
  };
}

function skippedByReason({ skipped }: LoadedFiles): TrafficSummary['skipped'] {
  const byReason = [...Map.groupBy(skipped, ({ reason }) => reason)];
  return byReason.map(([reason, all]) => ({
    reason,
    count: all.length,
    first: all.slice(0, SHOWN),
  }));
}

/** The number of skipped records that are listed for each reason, as in process. */
const SHOWN = 3;

/** Opens recordings. Throws {@link UnsupportedQueryError} if the engine cannot read them as `readTraffic` does. */
async function openSource(
  session: Session,
  files: readonly string[],
  options: ReadTrafficOptions & SourceOptions,
): Promise<Source> {
  const found: RecordingFile[] = [];
  for (const file of files) found.push(await inspect(file, options));
  if (found.length === 0) throw new UnsupportedQueryError('there is nothing to read');
  const formats = new Set(found.map(({ format }) => format));
  if (formats.size > 1) throw new UnsupportedQueryError('the files have several formats');
  const [format] = formats;
  const names = SERVER_NAMES[format as keyof typeof SERVER_NAMES];
  // Caddy's objects within objects take longer here than in process.
  const isFlat = names !== undefined && names.nested === undefined;
  if (format === 'json-lines' || isFlat) return openJsonLines(found, { ...options, names });
  if (format === 'parquet') return openParquet(session, found, options);
  throw new UnsupportedQueryError(`DuckDB does not read the format \`${format}\``);
}

/** Returns what a replay in process says about the files that are empty. */
async function emptyFiles({ files, traffic }: DuckdbTraffic): Promise<ReadonlyMap<string, FileSummary>> {
  const empty = new Map<string, FileSummary>();
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile() || found.size > 0) continue;
    const nothing = { file, exchanges: 0, skipped: 0 };
    empty.set(file, nothing);
    try {
      for await (const _ of readTraffic(file, traffic));
    } catch (error) {
      if (!(error instanceof ExternalError)) throw error;
      const { code, message } = error;
      empty.set(file, { ...nothing, failure: { code, message } });
    }
  }
  return empty;
}

async function inspect(file: string, options: ReadTrafficOptions): Promise<RecordingFile> {
  // DuckDB would treat these as a glob pattern.
  if (/[*?[\]{}]/.test(file)) throw new UnsupportedQueryError(`the name of \`${file}\` is a glob pattern to DuckDB`);
  const found = await inspectTraffic(file, options);
  if (found === undefined) throw new UnsupportedQueryError(`\`${file}\` cannot be read, or is not recorded traffic`);
  if (found.isWrapped) throw new UnsupportedQueryError(`the lines of \`${file}\` are wrapped`);
  return { ...found, file };
}

/** A selection that does not depend on decisions. */
type RowSelection = Omit<TrafficSelection, 'where'>;

/** Leaves only the selected rows in the table `coded`. */
async function selectRows(
  session: Session,
  { sample, ...range }: RowSelection,
  files: LoadedFiles,
): Promise<SelectionSummary> {
  const isSelected = inRange('t', range);
  const [[untimed] = []] = await session.rows('select count(*) - count(t) from coded');
  if (isSelected !== undefined)
    await session.run(`create or replace table coded as select * from coded where ${isSelected}`);
  if (sample !== undefined) await sampleRows(session, sample, files);
  const [[selected] = []] = await session.rows('select count(*) from coded');
  return { selected: Number(selected), unknown: isSelected === undefined ? 0 : Number(untimed) };
}

/** Returns the times that are selected; undefined if all are. */
function rangeOf({ since, until }: RowSelection = {}): TimeRange | undefined {
  return since === undefined && until === undefined ? undefined : { since, until };
}

async function sampleRows(
  session: Session,
  sample: NonNullable<RowSelection['sample']>,
  { locationOf }: LoadedFiles,
): Promise<void> {
  const chosen: number[] = [];
  const numbered = 'count' in sample ? new NumberedSample<number>(sample) : undefined;
  for await (const [rows = []] of session.batches('select rid::double from coded order by rid')) {
    for (const row of rows as readonly number[]) {
      if (numbered) numbered.add(locationOf(row), row);
      else if ('percent' in sample && isInShare(locationOf(row), sample)) chosen.push(row);
    }
  }
  await session.run('create or replace table chosen(rid bigint)');
  await session.append('chosen', [numbered?.finish() ?? chosen], 'wide');
  await session.run('create or replace table coded as select * from coded semi join chosen using (rid)');
}

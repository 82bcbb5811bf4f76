/** Replays recorded traffic through a policy or an edge. */
import { ExternalError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import {
  type Exchange,
  type ReadTrafficOptions,
  type SkippedRecord,
  type SkipReason,
  type TrafficBatch,
  type TrafficReader,
  UNREADABLE_RECORD,
} from '@tollgate/traffic';
import { beginEdgeRun, type EdgeDecision, type EdgeVerdict, type RoutePolicies } from '../edge/edge-simulation.ts';
import type { Edge } from '../edge/routes.ts';
import { type Decision, type Verdict, verdictOf } from '../simulation/decision.ts';
import { createSimulation, type SimulationOptions, type SimulationRun } from '../simulation/simulation.ts';
import { OccurrenceCounter } from './counter.ts';
import { PolicyTally } from './policy-tally.ts';
import { type DecidedExchange, Selector, type TrafficSelection } from './select-exchanges.ts';
import type {
  BreakdownOptions,
  EdgeReplaySummary,
  FileFailure,
  FileSummary,
  ReplaySummary,
  SkippedSummary,
  TrafficSummary,
} from './summary.ts';
import { type FileOrder, orderOfFiles, readInOrder } from './time-order.ts';

/** What to replay, and how. */
export interface ReplayOptions extends SimulationOptions {
  /** Names of recordings: for `FILE_READER` of `@tollgate/traffic-node`, paths of files, or `-` for standard input. */
  readonly files: readonly string[];
  readonly reader: TrafficReader;
  readonly traffic?: Omit<ReadTrafficOptions, 'locate'>;
  /** Databases that locate clients for which the traffic does not say it. */
  readonly geoip?: readonly string[];
  /** Breaks the figures down; only totals are computed if it is absent. */
  readonly breakdown?: BreakdownOptions;
  readonly watch?: ReplayWatch;
  /** Reports only some exchanges; all of them if it is absent. */
  readonly select?: TrafficSelection;
}

/**
 * Replays recorded traffic through a policy and adds up the decisions. Memory does not grow with the size of access logs. A file that cannot
 * be read to its end is reported in its summary with the `ExternalError` of the reader, and the others are still read; a `geoip` file
 * that cannot be read throws. Counters of rate limits and circuit breakers carry over from one exchange to the next in order of time, for
 * which files are merged. If that order cannot be established, the effect of limits is unknown.
 */
export async function replay(policy: Policy, options: ReplayOptions): Promise<ReplaySummary> {
  const order =
    dependsOnOrder(policy) === undefined
      ? undefined
      : await orderOfFiles(options.files, options.reader, options.traffic);
  const run = createSimulation(policy, options).begin(faultOf(order));
  const tally = new PolicyTally(policy, options);
  const { select, watch } = options;
  if (select === undefined && watch?.decided === undefined) {
    const traffic = await readAll({ ...options, order }, batch => countBatch(batch, run, tally, watch?.judged));
    return { ...traffic, ...tally.summary(run.late()) };
  }
  const selector = new Selector(select ?? {}, ({ exchange, verdict, decision }) => {
    tally.add(exchange, verdict);
    watch?.judged?.(exchange, verdict);
    if (decision) watch?.decided?.(exchange, { kind: 'decided', decision });
  });
  const judge = (exchange: Exchange): DecidedExchange => {
    const decision = watch?.decided && run.decide(exchange);
    return { exchange, decision, verdict: decision ? verdictOf(decision) : run.judge(exchange) };
  };
  const traffic = await readAll({ ...options, order }, batch => {
    for (const exchange of batch.exchanges)
      if (selector.mayTake(exchange)) selector.offer(judge(exchange));
      else if (order !== undefined) run.judge(exchange);
  });
  const selection = selector.finish();
  return { ...traffic, ...(select && { selection }), ...tally.summary(run.late()) };
}

function countBatch(
  { exchanges }: TrafficBatch,
  run: SimulationRun,
  tally: PolicyTally,
  judged: ReplayWatch['judged'],
): void {
  for (const exchange of exchanges) {
    const verdict = run.judge(exchange);
    tally.add(exchange, verdict);
    judged?.(exchange, verdict);
  }
}

/** What to read, and in which order; file by file if undefined. */
interface OrderedFiles extends Pick<ReplayOptions, 'files' | 'reader' | 'traffic' | 'geoip' | 'watch'> {
  readonly order: FileOrder | undefined;
}

/** Returns why exchanges cannot be sorted. */
export function faultOf(order: FileOrder | undefined): string | undefined {
  return order !== undefined && 'fault' in order ? order.fault : undefined;
}

/** Reads all files, and counts what was read. */
export async function readAll(
  { files, reader, traffic: reading, geoip, watch, order }: OrderedFiles,
  add: (batch: TrafficBatch) => void,
): Promise<TrafficSummary> {
  const traffic = new TrafficTally();
  const how = { ...reading, ...(geoip && { locate: await reader.locate(geoip) }) };
  if (order !== undefined && 'files' in order) {
    for (const file of files) traffic.open(file);
    const read = (file: string, batch: TrafficBatch) => traffic.add(file, batch);
    const failed = (file: string, error: ExternalError) => traffic.fail(file, error);
    for await (const exchanges of untilStopped(readInOrder(order.files, how, { reader, read, failed }), watch?.stop)) {
      add({ exchanges, skipped: [] });
      await watch?.read?.(exchanges.length);
    }
  } else if (reader.isGrowing)
    await Promise.all(files.map(file => readFile({ file, batches: reader.read(file, how), traffic, watch }, add)));
  else
    for (const file of files)
      if (!watch?.stop?.aborted) await readFile({ file, batches: reader.read(file, how), traffic, watch }, add);
  return { ...traffic.summary(), ...(watch?.stop?.aborted && { isPartial: true }) };
}

interface OpenFile {
  readonly file: string;
  readonly batches: AsyncIterable<TrafficBatch>;
  readonly traffic: TrafficTally;
  readonly watch: ReplayWatch | undefined;
}

async function readFile(
  { file, batches, traffic, watch }: OpenFile,
  add: (batch: TrafficBatch) => void,
): Promise<void> {
  traffic.open(file);
  try {
    for await (const batch of untilStopped(batches, watch?.stop)) {
      traffic.add(file, batch);
      add(batch);
      await watch?.read?.(batch.exchanges.length);
    }
  } catch (error) {
    if (!(error instanceof ExternalError) || error.code === UNREADABLE_RECORD) throw error;
    traffic.fail(file, error);
  }
}

/** An edge and the policies of its routes. */
export interface EdgeToReplay {
  readonly edge: Edge;
  readonly policies: RoutePolicies;
}

/**
 * Replays recorded traffic through an edge, each request on the route that matches it, and adds up what each route does. Otherwise like {@link
 * replay}.
 */
export async function replayEdge({ edge, policies }: EdgeToReplay, options: ReplayOptions): Promise<EdgeReplaySummary> {
  const order = edgeDependsOnOrder(edge, policies)
    ? await orderOfFiles(options.files, options.reader, options.traffic)
    : undefined;
  const run = beginEdgeRun(edge, policies, options, faultOf(order));
  const tallies = new Map(
    edge.routes.map(route => [route, { tally: new PolicyTally(policies.get(route), options), exchanges: 0 }]),
  );
  const needs = new OccurrenceCounter();
  let [unrouted, open] = [0, 0];
  const count = (exchange: Exchange, verdict: EdgeVerdict) => {
    if (verdict.kind === 'routed') {
      const route = tallies.get(verdict.route)!;
      route.exchanges++;
      route.tally.add(exchange, verdict.verdict);
    } else if (verdict.kind === 'open') {
      open++;
      for (const need of verdict.needs) needs.add(need, exchange.place);
    } else unrouted++;
  };
  const decided = options.watch?.decided;
  const replayOne = (exchange: Exchange) => {
    if (decided === undefined) return count(exchange, run.judge(exchange));
    const decision = run.decide(exchange);
    count(exchange, decision.kind === 'routed' ? { ...decision, verdict: verdictOf(decision.decision) } : decision);
    decided(exchange, decision);
  };
  const traffic = await readAll({ ...options, order }, batch => batch.exchanges.forEach(replayOne));
  const routes = [...tallies].map(([route, { tally, exchanges }]) => {
    const { id, match, matchType } = route;
    return { route: { id, match, matchType }, exchanges, ...tally.summary(run.late(route)) };
  });
  return { ...traffic, routes, unrouted, open: { exchanges: open, needs: needs.list() } };
}

/** Actions whose counters carry over from one exchange to the next. */
const COUNTING: ReadonlySet<string> = new Set(['circuit-breaker', 'rate-limit']);

/** Returns the type of an action that makes decisions depend on earlier exchanges; undefined if there is none. */
export function dependsOnOrder({ rules }: Policy): string | undefined {
  const actions = Object.values(rules).flatMap(phase => phase.flatMap(rule => rule.actions));
  return actions.find(action => COUNTING.has(action.type.value))?.type.value;
}

/** Returns true if decisions of an edge depend on earlier exchanges. */
export function edgeDependsOnOrder({ routes }: Edge, policies: RoutePolicies): boolean {
  const hasBreaker = routes.some(({ modules }) => modules.circuitBreaker !== undefined);
  return hasBreaker || [...policies.values()].some(policy => dependsOnOrder(policy) !== undefined);
}

/** Observes a replay while it runs. */
export interface ReplayWatch {
  /** Called for each exchange, in the order of decisions. */
  readonly decided?: (exchange: Exchange, decided: Decided) => void;
  /** Called for each exchange that is reported, in a replay of one policy. */
  readonly judged?: (exchange: Exchange, verdict: Verdict) => void;
  /** Called for each batch with its number of exchanges; the replay continues when the result is settled. */
  readonly read?: (exchanges: number) => Promise<void> | undefined;
  /** Ends the replay with what is known so far; its summary is marked as partial. */
  readonly stop?: AbortSignal;
}

/** The decision on an exchange, by a single policy or by an edge. */
export type Decided = { readonly kind: 'decided'; readonly decision: Decision } | EdgeDecision;

/** Yields the values of a source until it ends or is stopped; then without waiting for the next one, which may never come. */
export async function* untilStopped<T>(source: AsyncIterable<T>, stop: AbortSignal | undefined): AsyncGenerator<T> {
  if (stop === undefined) {
    yield* source;
    return;
  }
  const values = source[Symbol.asyncIterator]();
  let end = (): void => undefined;
  stop.addEventListener('abort', () => end(), { once: true });
  while (!stop.aborted) {
    // A race against one promise for all values would keep every value: 1.3 GB for JSON lines of 400 MB.
    const next = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
      end = () => resolve(undefined);
      values.next().then(resolve, reject);
    });
    end = () => undefined;
    if (next === undefined || next.done) return;
    yield next.value;
  }
}

/** The number of skipped records that are listed for each reason. */
const MAX_SHOWN = 3;

interface FileTally {
  exchanges: number;
  skipped: number;
  failure?: FileFailure;
}

/** Counts what was read. */
class TrafficTally {
  readonly #files = new Map<string, FileTally>();
  readonly #skipped = new Map<SkipReason, { count: number; readonly first: SkippedRecord[] }>();

  /** Adds a file from which nothing has been read yet. */
  open(file: string): void {
    this.#count(file);
  }

  add(file: string, batch: TrafficBatch): void {
    const counts = this.#count(file);
    counts.exchanges += batch.exchanges.length;
    counts.skipped += batch.skipped.length;
    for (const record of batch.skipped) this.#skip(record);
  }

  fail(file: string, { code, message }: ExternalError): void {
    this.#count(file).failure = { code, message };
  }

  get exchanges(): number {
    return [...this.#files.values()].reduce((sum, file) => sum + file.exchanges, 0);
  }

  summary(): TrafficSummary {
    return { exchanges: this.exchanges, files: this.files(), skipped: this.skipped() };
  }

  files(): FileSummary[] {
    return [...this.#files].map(([file, counts]) => ({ file, ...counts }));
  }

  skipped(): SkippedSummary[] {
    return [...this.#skipped].map(([reason, { count, first }]) => ({ reason, count, first }));
  }

  #count(file: string): FileTally {
    const counts: FileTally = this.#files.get(file) ?? { exchanges: 0, skipped: 0 };
    this.#files.set(file, counts);
    return counts;
  }

  #skip(record: SkippedRecord): void {
    const known = this.#skippedFor(record.reason);
    known.count++;
    if (known.first.length < MAX_SHOWN) known.first.push(record);
  }

  #skippedFor(reason: SkipReason): { count: number; readonly first: SkippedRecord[] } {
    const known = this.#skipped.get(reason) ?? { count: 0, first: [] };
    this.#skipped.set(reason, known);
    return known;
  }
}

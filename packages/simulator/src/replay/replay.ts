import { ExternalError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import {
  type Exchange,
  openGeoDatabases,
  type ReadTrafficOptions,
  readTraffic,
  type TrafficBatch,
  UNREADABLE_RECORD,
} from '@tollgate/traffic';
import { verdictOf } from '../decision/verdict.ts';
import { type DecidedExchange, Selector, type TrafficSelection } from '../selection/select-exchanges.ts';
import { createSimulation, type SimulationOptions, type SimulationRun } from '../simulation/simulation.ts';
import { dependsOnOrder } from './depends-on-order.ts';
import { type FileOrder, orderOfFiles } from './order/file-order.ts';
import { readInOrder } from './order/read-in-order.ts';
import type { BreakdownOptions } from './summary/breakdown.ts';
import type { ReplaySummary, TrafficSummary } from './summary/summary.ts';
import { PolicyTally } from './tallies/policy-tally.ts';
import { TrafficTally } from './tallies/traffic-tally.ts';
import { untilStopped } from './until-stopped.ts';
import type { ReplayWatch } from './watch.ts';

/** What to replay, and how. */
export interface ReplayOptions extends SimulationOptions {
  /** Paths of files; `-` for standard input. */
  readonly files: readonly string[];
  readonly traffic?: Omit<ReadTrafficOptions, 'locate'>;
  /** MaxMind DB files that locate clients for which the traffic does not say it. */
  readonly geoip?: readonly string[];
  /** Breaks the figures down; only totals are computed if it is absent. */
  readonly breakdown?: BreakdownOptions;
  readonly watch?: ReplayWatch;
  /** Reports only some exchanges; all of them if it is absent. */
  readonly select?: TrafficSelection;
}

/**
 * Replays recorded traffic through a policy and adds up the decisions. Memory does not grow with the size of access logs. A file that cannot
 * be read to its end is reported in its summary with the `ExternalError` of {@link readTraffic}, and the others are still read; a `geoip` file
 * that cannot be read throws. Counters of rate limits and circuit breakers carry over from one exchange to the next in order of time, for
 * which files are merged. If that order cannot be established, the effect of limits is unknown.
 */
export async function replay(policy: Policy, options: ReplayOptions): Promise<ReplaySummary> {
  const order = dependsOnOrder(policy) === undefined ? undefined : await orderOfFiles(options.files, options.traffic);
  const run = createSimulation(policy, options).begin(faultOf(order));
  const tally = new PolicyTally(policy, options);
  const { select, watch } = options;
  if (select === undefined && watch?.decided === undefined) {
    const traffic = await readAll({ ...options, order }, batch => countBatch(batch, run, tally));
    return { ...traffic, ...tally.summary(run.late()) };
  }
  const selector = new Selector(select ?? {}, ({ exchange, verdict, decision }) => {
    tally.add(exchange, verdict);
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

function countBatch({ exchanges }: TrafficBatch, run: SimulationRun, tally: PolicyTally): void {
  for (const exchange of exchanges) tally.add(exchange, run.judge(exchange));
}

/** What to read, and in which order; file by file if undefined. */
interface OrderedFiles extends Pick<ReplayOptions, 'files' | 'traffic' | 'geoip' | 'watch'> {
  readonly order: FileOrder | undefined;
}

/** Returns why exchanges cannot be sorted. */
export function faultOf(order: FileOrder | undefined): string | undefined {
  return order !== undefined && 'fault' in order ? order.fault : undefined;
}

/** Reads all files, and counts what was read. */
export async function readAll(
  { files, traffic: reading, geoip, watch, order }: OrderedFiles,
  add: (batch: TrafficBatch) => void,
): Promise<TrafficSummary> {
  const traffic = new TrafficTally();
  const how = { ...reading, ...(await locating(geoip)) };
  if (order !== undefined && 'files' in order) {
    for (const file of files) traffic.open(file);
    const read = (file: string, batch: TrafficBatch) => traffic.add(file, batch);
    const failed = (file: string, error: ExternalError) => traffic.fail(file, error);
    for await (const exchanges of untilStopped(readInOrder(order.files, how, { read, failed }), watch?.stop)) {
      add({ exchanges, skipped: [] });
      await watch?.read?.(exchanges.length);
    }
  } else
    for (const file of files)
      if (!watch?.stop?.aborted) await readFile({ file, batches: readTraffic(file, how), traffic, watch }, add);
  return { ...traffic.summary(), ...(watch?.stop?.aborted && { isPartial: true }) };
}

async function locating(geoip: ReplayOptions['geoip']): Promise<Pick<ReadTrafficOptions, 'locate'>> {
  return geoip === undefined ? {} : { locate: await openGeoDatabases(geoip) };
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

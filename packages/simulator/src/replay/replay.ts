import { ExternalError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import {
  type Exchange,
  openGeoDatabases,
  type ReadTrafficOptions,
  readTraffic,
  readTrafficPart,
  type TrafficBatch,
  type TrafficPart,
  UNREADABLE_RECORD,
} from '@tollgate/traffic';
import { verdictOf } from '../decision/verdict.ts';
import { type DecidedExchange, Selector, type TrafficSelection } from '../selection/select-exchanges.ts';
import { createSimulation, type SimulationOptions, type SimulationRun } from '../simulation/simulation.ts';
import type { LocationOf } from './counting/tally.ts';
import { dependsOnOrder } from './depends-on-order.ts';
import { type FileOrder, orderOfFiles } from './order/file-order.ts';
import { readInOrder } from './order/read-in-order.ts';
import type { BreakdownOptions } from './summary/breakdown.ts';
import type { ReplaySummary, TrafficSummary } from './summary/summary.ts';
import { PolicyTally, type PolicyTallyData } from './tallies/policy-tally.ts';
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

/** The counts of a part of the traffic, as plain data that can be sent to another thread. */
export interface PartData {
  readonly traffic: TrafficSummary;
  readonly policy: PolicyTallyData;
  /** The number of lines, if the part is a range of lines. */
  readonly lines: number;
  /** What to add to line numbers in the part to get those in the file, once earlier parts are added. */
  readonly offset: number;
}

/** Replays one part of the traffic. */
export type ReplayPart = (part: TrafficPart) => Promise<PartData>;

/** Prepares a policy to be replayed in parts. Not for a policy whose decisions depend on earlier exchanges. */
export async function prepareParts(policy: Policy, options: Omit<ReplayOptions, 'files'>): Promise<ReplayPart> {
  const run = createSimulation(policy, options).begin();
  const reading = { ...options.traffic, ...(await locating(options.geoip)) };
  return async part => {
    const tally = new PolicyTally(policy, options);
    const traffic = new TrafficTally();
    const { batches, offset, lines } = readTrafficPart(part, reading);
    await readFile({ file: part.file, batches, traffic, watch: options.watch }, batch => countBatch(batch, run, tally));
    return { traffic: traffic.summary(), policy: tally.data(), lines: lines(), offset };
  };
}

/** Merges the counts of parts. */
export interface PartMerge {
  /** Call it in the order of the parts. */
  readonly add: (part: PartData) => void;
  readonly summary: () => ReplaySummary;
}

/** Begins to merge parts. Each can be discarded once it is added. */
export function mergeParts(policy: Policy, options: Omit<ReplayOptions, 'files'>): PartMerge {
  const tally = new PolicyTally(policy, options);
  const traffic = new TrafficTally();
  const linesBefore = new Map<string, number>();
  const add = ({ traffic: read, policy: counted, lines, offset }: PartData) => {
    const before = (file: string) => linesBefore.get(file) ?? 0;
    const locationOf: LocationOf = place =>
      place.unit === 'line' ? { ...place, number: place.number + offset + before(place.file) } : place;
    traffic.merge(read, locationOf);
    tally.merge(counted, locationOf);
    for (const { file } of read.files) linesBefore.set(file, before(file) + lines);
  };
  return { add, summary: () => ({ ...traffic.summary(), ...tally.summary(0) }) };
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

import { WorldError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { openGeoDatabases, type ReadTrafficOptions, readTraffic, UNREADABLE_RECORD } from '@tollgate/traffic';
import { createSimulation, type SimulationOptions } from '../decide/simulation.ts';
import { verdictOf } from '../decide/verdict.ts';
import type { BreakdownOptions } from './breakdown.ts';
import { PolicyTally } from './policy-tally.ts';
import type { ReplaySummary, TrafficSummary } from './summary.ts';
import { TrafficTally } from './traffic-tally.ts';
import type { ReplayWatch } from './watch.ts';

/** What is replayed, and how. */
export interface ReplayOptions extends SimulationOptions {
  /** Paths of files; `-` for standard input. */
  readonly files: readonly string[];
  readonly traffic?: Omit<ReadTrafficOptions, 'locate'>;
  /** MaxMind DB files that tell where clients are, as far as the traffic does not say so. */
  readonly geoip?: readonly string[];
  /** Breaks the figures down; they are only added up when it is absent. */
  readonly breakdown?: BreakdownOptions;
  readonly watch?: ReplayWatch;
}

/**
 * Runs a policy on recorded traffic and adds up what it does. Memory does not grow with access logs. A file that cannot be read,
 * or not to its end, is told in its summary by the `WorldError` of {@link readTraffic}; the others are read all the same. One of `geoip` that cannot be read is thrown. Counters of
 * rate limits and circuit breakers go on from one exchange to the next, in the order in which they are read.
 */
export async function replay(policy: Policy, options: ReplayOptions): Promise<ReplaySummary> {
  const run = createSimulation(policy, options).begin();
  const decided = options.watch?.decided;
  const tally = new PolicyTally(policy, options);
  const traffic = await readAll(options, exchange => {
    if (decided === undefined) return tally.add(exchange, run.judge(exchange));
    const decision = run.decide(exchange);
    tally.add(exchange, verdictOf(decision));
    decided(exchange, { kind: 'decided', decision });
  });
  return { ...traffic, ...tally.summary(run.late()) };
}

/** Reads all files, and tells what was read. */
export async function readAll(
  { files, traffic: reading, geoip, watch }: Pick<ReplayOptions, 'files' | 'traffic' | 'geoip' | 'watch'>,
  add: (exchange: Exchange) => void,
): Promise<TrafficSummary> {
  const traffic = new TrafficTally();
  const locating = geoip === undefined ? {} : { locate: await openGeoDatabases(geoip) };
  for (const file of files) {
    traffic.open(file);
    try {
      for await (const batch of readTraffic(file, { ...reading, ...locating })) {
        traffic.add(file, batch);
        for (const exchange of batch.exchanges) add(exchange);
        await watch?.read?.(batch.exchanges.length);
      }
    } catch (error) {
      if (!(error instanceof WorldError) || error.code === UNREADABLE_RECORD) throw error;
      traffic.fail(file, error);
    }
  }
  return { exchanges: traffic.exchanges, files: traffic.files(), skipped: traffic.skipped() };
}

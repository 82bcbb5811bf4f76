import {
  createSimulation,
  type PolicySummary,
  PolicyTally,
  replay as replayFiles,
  verdictOf,
} from '@tollgate/simulator';
import type { ReadTrafficOptions, TrafficReader } from '@tollgate/traffic';
import type { RunnablePolicy } from './documents.ts';
import { OptionError, type PolicyOptions, runnablePolicy } from './policy-options.ts';
import {
  exchangeFor,
  type RunOptions,
  type SimulateResult,
  simulatorOf,
  simulatorOptions,
  type TrafficRequest,
} from './simulate.ts';

/** The options of {@link replay}. */
export interface ReplayOptions extends PolicyOptions, RunOptions {
  /** Reads files: `FILE_READER` of `@tollgate/traffic-node`. Needed for paths of recordings only. */
  readonly reader?: TrafficReader;
  /** How to read files; the format is detected by default. */
  readonly reading?: Pick<ReadTrafficOptions, 'format' | 'logFormat' | 'mapping' | 'strict'>;
  /** Paths of MaxMind databases that locate client addresses. */
  readonly geoip?: readonly string[];
}

/** Paths of recordings, or requests in the order of their time. */
export type Traffic = readonly string[] | Iterable<TrafficRequest> | AsyncIterable<TrafficRequest>;

/** The result of {@link replay}. */
export interface ReplayResult extends PolicySummary {
  /** Number of exchanges that the policy ran on. */
  readonly exchanges: number;
  /** Number of records that are not exchanges. */
  readonly skipped: number;
  /** The files that could not be read to the end, and why. */
  readonly failures: readonly { readonly file: string; readonly code: string; readonly message: string }[];
}

/**
 * Runs a policy on recorded traffic and counts what it does. Rate limits and circuit breakers keep their state from request to request.
 * Throws a `PolicyError` if the policy has errors, and an `OptionError` for an invalid request, or for paths without a reader.
 */
export async function replay(policy: string, traffic: Traffic, options: ReplayOptions = {}): Promise<ReplayResult> {
  return replayerOf(runnablePolicy(policy, options), options)(traffic);
}

/** Returns a function that runs a policy on recorded traffic. */
function replayerOf(runnable: RunnablePolicy, options: ReplayOptions): (traffic: Traffic) => Promise<ReplayResult> {
  return async traffic => {
    const files = pathsIn(traffic);
    return files === undefined
      ? replayRequests(runnable, traffic as Iterable<TrafficRequest>, options)
      : replayRecordings(runnable, files, options);
  };
}

async function replayRecordings(
  runnable: RunnablePolicy,
  files: readonly string[],
  options: ReplayOptions,
): Promise<ReplayResult> {
  const { reader } = options;
  if (reader === undefined)
    throw new OptionError('recordings need a `reader`; pass `FILE_READER` of `@tollgate/traffic-node`');
  const {
    exchanges,
    skipped,
    files: read,
    ...summary
  } = await replayFiles(runnable.policy, {
    ...runnable,
    ...simulatorOptions(options),
    files,
    reader,
    ...(options.reading && { traffic: options.reading }),
    ...(options.geoip && { geoip: options.geoip }),
  });
  const failures = read.flatMap(({ file, failure }) =>
    failure ? [{ file, code: failure.code, message: failure.message }] : [],
  );
  return { ...summary, exchanges, skipped: skipped.reduce((sum, { count }) => sum + count, 0), failures };
}

async function replayRequests(
  runnable: RunnablePolicy,
  requests: Iterable<TrafficRequest> | AsyncIterable<TrafficRequest>,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const run = createSimulation(runnable.policy, { ...runnable, ...simulatorOptions(options) }).begin();
  const tally = new PolicyTally(runnable.policy, runnable);
  let exchanges = 0;
  for await (const request of requests) {
    const exchange = exchangeFor(request, ++exchanges);
    tally.add(exchange, verdictOf(run.decide(exchange)));
  }
  return { ...tally.summary(run.late()), exchanges, skipped: 0, failures: [] };
}

function pathsIn(traffic: Traffic): readonly string[] | undefined {
  const isPaths = Array.isArray(traffic) && traffic.every(one => typeof one === 'string');
  return isPaths ? (traffic as readonly string[]) : undefined;
}

/** A checked and compiled policy, for any number of requests and replays. Each call starts from a fresh state of rate limits. */
export interface PolicyRunner {
  /** Runs the policy on one request. Throws an `OptionError` for an invalid request. */
  readonly simulate: (request: TrafficRequest) => SimulateResult;
  /** Runs the policy on recorded traffic, as `replay` does. */
  readonly replay: (traffic: Traffic) => Promise<ReplayResult>;
}

/** Checks and compiles a policy once, to run it repeatedly. Throws a `PolicyError` if the policy has errors. */
export function prepare(policy: string, options: ReplayOptions = {}): PolicyRunner {
  const runnable = runnablePolicy(policy, options);
  return { simulate: simulatorOf(runnable, options), replay: replayerOf(runnable, options) };
}

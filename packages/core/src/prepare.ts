import { runnablePolicy } from './policy-options.ts';
import { type ReplayOptions, type ReplayResult, replayerOf, type Traffic } from './replay.ts';
import { type SimulateResult, simulatorOf } from './simulate.ts';
import type { TrafficRequest } from './traffic-request.ts';

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

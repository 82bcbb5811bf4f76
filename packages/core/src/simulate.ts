import { createSimulation, type Outcome } from '@tollgate/simulator';
import { type RunnablePolicy, simulationOptions } from './documents.ts';
import { type PolicyOptions, runnablePolicy } from './policy-options.ts';
import { exchangeFor, type TrafficRequest } from './traffic-request.ts';

/** The options of {@link simulate} and `replay`. */
export interface RunOptions extends PolicyOptions {
  /** Current time for the policy; by default the time of each request. */
  readonly now?: Date;
  /** Seed for random functions; without it, their results are unknown. */
  readonly seed?: number;
  /** Scheme and host for requests with a path only, such as `https://example.com`. */
  readonly origin?: string;
}

/** What one rule did. */
export interface RuleOutcome {
  readonly phase: string;
  /** One-based, within the phase. */
  readonly number: number;
  readonly name: string | undefined;
  readonly status: 'matched' | 'not-matched' | 'failed' | 'undetermined' | 'not-reached';
}

/** The result of {@link simulate}. */
export interface SimulateResult {
  /** The certain outcome; undefined if it depends on unknown inputs. */
  readonly outcome: Outcome | undefined;
  /** Every possible outcome; one, unless undetermined. */
  readonly outcomes: readonly Outcome[];
  /** Inputs that would decide the outcome, such as `conn.ClientIP`; empty if it is certain. */
  readonly needs: readonly string[];
  /** All rules, in policy order. */
  readonly rules: readonly RuleOutcome[];
}

/** Runs a policy on one request. Throws a `PolicyError` if the policy has errors, and an `OptionError` for an invalid request. */
export function simulate(policy: string, request: TrafficRequest, options: RunOptions = {}): SimulateResult {
  return simulatorOf(runnablePolicy(policy, options), options)(request);
}

/** Returns a function that runs a policy on one request. */
export function simulatorOf(
  runnable: RunnablePolicy,
  options: RunOptions,
): (request: TrafficRequest) => SimulateResult {
  const { decide } = createSimulation(runnable.policy, { ...runnable, ...simulatorOptions(options) });
  const described = runnable.profile.phases.flatMap(phase =>
    runnable.policy.rules[phase].map(({ name }, index) => ({ phase, number: index + 1, name: name?.value })),
  );
  return request => {
    const { outcomes, needs, rules } = decide(exchangeFor(request, 1));
    return {
      outcome: outcomes.length === 1 ? outcomes[0] : undefined,
      outcomes,
      needs,
      rules: described.map((rule, index) => ({ ...rule, status: rules[index]!.status })),
    };
  };
}

/** Returns the options in the form of the simulator. */
export function simulatorOptions({ now, seed, origin }: RunOptions) {
  return simulationOptions({ now: now?.getTime(), seed, origin });
}

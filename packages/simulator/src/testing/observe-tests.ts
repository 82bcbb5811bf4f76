/** Where the tests of a policy reach its rules, to try other conditions there without running the tests again. */
import type { NonValue, TypedAst } from '@tollgate/cel';
import { inlineBodies, unrollLists } from '@tollgate/cel/tooling';
import type { Policy, PolicyTests, Rule } from '@tollgate/policy';
import type { RunAction } from '../actions/effect.ts';
import { compileRules, type Preparation, type PreparedPhase } from '../conditions/prepare-policy.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import type { Decision } from '../simulation/decision.ts';
import type { DecisionWatch } from '../simulation/tracing.ts';
import { activationBuilder } from '../variables/activation.ts';
import { exchangesOf, momentOf, simulationsOf } from './run-tests.ts';

/** What a test reaches. */
export interface ObservedTest {
  /** Its position in the file. */
  readonly index: number;
  /** By the position of a rule: the states in which it is reached, one for each different request of the test. */
  readonly states: readonly (readonly TrafficState[])[];
  /** By the position of a rule: whether it ran, or may have. */
  readonly ran: readonly boolean[];
}

/** Runs the tests of a file that are not skipped, and returns what they reach. */
export function observeTests(policy: Policy, file: PolicyTests, options: Preparation): readonly ObservedTest[] {
  const simulationOf = simulationsOf(policy, options);
  const count = options.profile.phases.reduce((sum, phase) => sum + policy.rules[phase].length, 0);
  return file.tests.flatMap((test, index): readonly ObservedTest[] => {
    if (test.skip !== undefined) return [];
    const whole = { ...momentOf(file), ...test };
    const run = simulationOf(whole).begin();
    const states: TrafficState[][] = Array.from({ length: count }, () => []);
    const ran: boolean[] = Array.from({ length: count }, () => false);
    const observe = (decide: (watch: DecisionWatch) => Decision) => {
      const watch = new ReachWatch();
      const { rules } = decide(watch);
      for (const [rule, { status }] of rules.entries()) {
        const state = watch.states[rule];
        if (state !== undefined) states[rule]!.push(state);
        if (status === 'matched' || status === 'undetermined') ran[rule] = true;
      }
    };
    const { earlier, last } = exchangesOf(whole);
    const sent = (whole.after ?? []).length > 0;
    for (const exchange of earlier) {
      if (sent) observe(watch => run.observe(exchange, watch));
      else run.decide(exchange);
    }
    observe(watch => run.observe(last, watch));
    return [{ index, states, ran }];
  });
}

class ReachWatch implements DecisionWatch {
  readonly states: (TrafficState | undefined)[] = [];

  evaluate(_: PreparedPhase, __: TrafficState, evaluate: () => readonly (boolean | NonValue)[]) {
    return evaluate();
  }

  reach(_: PreparedPhase, __: number, state: TrafficState | undefined): void {
    this.states.push(state);
  }

  watched(actions: readonly RunAction[]): readonly RunAction[] {
    return actions;
  }
}

/** Returns what evaluates a condition of a phase in a state. */
export function conditionIn(
  { phase, expressions }: Pick<Rule, 'phase' | 'expressions'>,
  { endpoint }: Pick<Policy, 'endpoint'>,
  { profile, environments }: Preparation,
): (state: TrafficState) => boolean | NonValue {
  const environment = environments[phase];
  const typed = expressions.map(one => unrollLists(inlineBodies(one.typed as TypedAst, environment)));
  const build = activationBuilder(profile, { endpoint, phase }, typed);
  const conditions = compileRules([typed], environment);
  const results: (boolean | NonValue)[] = [];
  return state => {
    conditions.evaluateAll(build(state), results);
    return results[0]!;
  };
}

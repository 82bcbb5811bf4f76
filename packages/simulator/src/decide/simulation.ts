import type { EndpointKind, Phase, Profile } from '@tollgate/catalog';
import { type Conditions, compileConditions, type Environment, type NonValue, type TypedAst } from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';
import type { Exchange } from '@tollgate/traffic';
import type { ActionConfig, ActionContext, Outcome, RunAction } from '../effects/effect.ts';
import { EFFECTS } from '../effects/registry.ts';
import { activationBuilder, type BuildActivation } from './build-activation.ts';
import { compileExpression } from './compile-expression.ts';
import { type Decision, NOT_REACHED, type RuleResult } from './decision.ts';
import { Evaluation } from './evaluation.ts';
import { type Assumptions, initialState, type TrafficState } from './traffic-state.ts';

/** A policy whose expressions are checked. */
export interface CheckedPolicy {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly enabled: boolean;
  /** In the order in which they happen. */
  readonly phases: readonly CheckedPhase[];
}

export interface CheckedPhase {
  readonly phase: Phase;
  readonly environment: Environment;
  readonly rules: readonly CheckedRule[];
}

export interface CheckedRule {
  /** All must hold. */
  readonly expressions: readonly TypedAst[];
  readonly actions: readonly { readonly type: string; readonly config: ActionConfig }[];
}

/** A policy made ready to run on traffic. */
export interface Simulation {
  /** Gives what the policy does to one exchange. Holds nothing between exchanges. */
  readonly decide: (exchange: Exchange) => Decision;
}

const PASSED: Outcome = { kind: 'passed', status: undefined, action: undefined };

/** Compiles a policy. */
export function createSimulation(policy: CheckedPolicy, assumptions: Assumptions = {}): Simulation {
  const phases = policy.enabled ? policy.phases.map(phase => preparePhase(policy, phase)) : [];
  const ruleCount = policy.phases.reduce((count, phase) => count + phase.rules.length, 0);
  return {
    decide: exchange => {
      const evaluation = new Evaluation(initialState(exchange, assumptions));
      const rules: RuleResult[] = [];
      for (const phase of phases) runPhase(phase, evaluation, rules);
      while (rules.length < ruleCount) rules.push(NOT_REACHED);
      return { ...evaluation.outcomes(PASSED), rules };
    },
  };
}

interface PreparedPhase {
  readonly conditions: Conditions;
  readonly build: BuildActivation;
  readonly rules: readonly (readonly RunAction[])[];
}

function preparePhase(policy: CheckedPolicy, { phase, environment, rules }: CheckedPhase): PreparedPhase {
  const { profile, endpoint } = policy;
  const build = activationBuilder(profile, { endpoint, phase }, () => true);
  const compile: ActionContext['compile'] = source => compileExpression(source, environment, build);
  const context: ActionContext = { endpoint, phase, compile };
  return {
    conditions: compileConditions(
      rules.map(rule => rule.expressions),
      environment,
    ),
    build,
    rules: rules.map(rule => rule.actions.map(({ type, config }) => prepareAction(type, config, context))),
  };
}

function prepareAction(type: string, config: ActionConfig, context: ActionContext): RunAction {
  const prepare = EFFECTS[type];
  if (prepare === undefined) throw new InternalError(`no effect for the action \`${type}\``);
  return prepare(config, context);
}

function runPhase(phase: PreparedPhase, evaluation: Evaluation, results: RuleResult[]): void {
  let conditions = evaluate(phase, evaluation.state);
  for (let index = 0; index < phase.rules.length; index++) {
    if (evaluation.ended) {
      results.push(NOT_REACHED);
      continue;
    }
    const before = evaluation.state;
    results.push(evaluation.step(conditions[index]!, phase.rules[index]!));
    // Later rules see what the actions changed.
    if (evaluation.state !== before) conditions = evaluate(phase, evaluation.state);
  }
}

function evaluate(phase: PreparedPhase, state: TrafficState): readonly (boolean | NonValue)[] {
  const results: (boolean | NonValue)[] = [];
  phase.conditions.evaluateAll(phase.build(state), results);
  return results;
}

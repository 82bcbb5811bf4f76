import type { Phase, Profile } from '@tollgate/catalog';
import {
  type Conditions,
  compileConditions,
  type Environment,
  inlineBodies,
  type NonValue,
  type TypedAst,
} from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';
import type { Action, PhaseEnvironments, Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { addedAction } from '../effects/added-action.ts';
import type { ActionContext, Outcome, RunAction } from '../effects/effect.ts';
import { EFFECTS } from '../effects/registry.ts';
import { activationBuilder, type BuildActivation } from './build-activation.ts';
import { compileExpression } from './compile-expression.ts';
import { type Decision, NOT_REACHED, type RuleResult } from './decision.ts';
import { Evaluation } from './evaluation.ts';
import { type Assumptions, initialState, type TrafficState } from './traffic-state.ts';

/** What a policy is run with. */
export interface SimulationOptions {
  readonly profile: Profile;
  /** Those that the policy was analysed with. */
  readonly environments: PhaseEnvironments;
  readonly assumptions?: Assumptions;
}

/** A policy made ready to run on traffic. */
export interface Simulation {
  /** Gives what the policy does to one exchange. Holds nothing between exchanges. */
  readonly decide: (exchange: Exchange) => Decision;
}

const PASSED: Outcome = { kind: 'passed', status: undefined, action: undefined };

/**
 * Compiles a policy. It must be one without errors: an expression that has one, or an action that the profile does not have, is an
 * {@link InternalError}.
 */
export function createSimulation(policy: Policy, options: SimulationOptions): Simulation {
  const phases = policy.enabled ? options.profile.phases.map(phase => preparePhase(policy, phase, options)) : [];
  const ruleCount = options.profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  const assumptions = options.assumptions ?? {};
  const { evaluationError } = options.profile.switches;
  return {
    decide: exchange => {
      const evaluation = new Evaluation(initialState(exchange, assumptions), evaluationError);
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

function preparePhase(policy: Policy, phase: Phase, options: SimulationOptions): PreparedPhase {
  const { endpoint } = policy;
  const rules = policy.rules[phase];
  const environment = options.environments[phase];
  const conditions = rules.map(rule =>
    rule.expressions.map(({ source, typed }) => inlined(source, typed, environment)),
  );
  const place = { endpoint, phase };
  const everything = activationBuilder(options.profile, place);
  const compile: ActionContext['compile'] = source => compileExpression(source, environment, everything);
  const context: ActionContext = { endpoint, phase, switches: options.profile.switches, compile };
  return {
    conditions: compileConditions(conditions, environment),
    build: activationBuilder(options.profile, place, conditions.flat()),
    rules: rules.map(rule => rule.actions.map(action => prepareAction(action, context))),
  };
}

function inlined(source: string, typed: TypedAst | undefined, environment: Environment): TypedAst {
  if (typed === undefined) throw new InternalError(`\`${source}\` has an error`);
  return inlineBodies(typed, environment);
}

function prepareAction({ type, fact, config }: Action, context: ActionContext): RunAction {
  const prepare = EFFECTS[type.value] ?? (fact && addedAction(fact));
  if (prepare === undefined) throw new InternalError(`no effect for the action \`${type.value}\``);
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

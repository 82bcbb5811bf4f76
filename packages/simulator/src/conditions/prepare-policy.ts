/** Prepares the rules of a phase: conditions and actions, compiled once for all exchanges. */
import type { Phase, Profile } from '@tollgate/catalog';
import type { Environment, TypedAst } from '@tollgate/cel';
import { inlineBodies, unrollLists } from '@tollgate/cel/tooling';
import { InternalError, ownValue } from '@tollgate/diagnostics';
import type { Action, PhaseEnvironments, Policy } from '@tollgate/policy';
import { type ActionContext, type RunAction, SIDES } from '../actions/effect.ts';
import { addedAction, type ConstantEffect, constantEffect, EFFECTS } from '../actions/registry.ts';
import { dialectOf } from '../exchange-state/dialect.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { activationBuilder } from '../variables/activation.ts';
import { type CompileExpression, compileExpression } from '../variables/expression.ts';
import {
  type ConjunctsContext,
  compileRules,
  prepareConjuncts,
  prepareSettling,
  type VisitRule,
} from './compile-rules.ts';
import type { PreparedConjuncts } from './condition-columns.ts';
import { type EvaluateConditions, isUnclear } from './unclear-conditions.ts';

/** The compiled rules of one phase. */
export interface PreparedPhase {
  readonly phase: Phase;
  readonly conditions: PhaseConditions;
  readonly rules: readonly PreparedRule[];
  /** Compiles the conjuncts of all conditions, grouped by their inputs; undefined if a condition may have another result each time. */
  readonly conjuncts: () => readonly PreparedConjuncts[] | undefined;
}

/** The conditions of a phase's rules in a state. */
interface PhaseConditions {
  /** Replaces `results` by those of all rules. */
  readonly evaluateAll: EvaluateConditions;
  /** Calls `visit` for each rule that may match, in order, until it returns false. */
  readonly visit: (state: TrafficState, visit: VisitRule) => void;
}

/** A compiled rule. */
interface PreparedRule {
  /** With inlined function bodies. */
  readonly expressions: readonly TypedAst[];
  readonly actions: readonly RunAction[];
  /** The constant effect of each action; undefined if it depends on the traffic. */
  readonly constantEffects: readonly (ConstantEffect | undefined)[];
}

/** The context that a policy is compiled for. */
export interface Preparation {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
  /** Compiles expressions in configurations; {@link compileExpression} by default. */
  readonly compile?: CompileExpression;
}

/** Compiles the rules of one phase. Throws an {@link InternalError} for a rule with an error or an unknown action. */
export function preparePhase(
  policy: Policy | undefined,
  phase: Phase,
  { profile, environments, compile = compileExpression }: Preparation,
): PreparedPhase {
  const environment = environments[phase];
  const place = { endpoint: policy?.endpoint ?? profile.endpoints[0]!, phase };
  const at: ActionScope = { profile, environment, place, compile };
  const rules = (policy?.rules[phase] ?? []).map(rule => ({
    expressions: rule.expressions.map(({ source, typed }) => inlined(source, typed, environment)),
    actions: rule.actions.map(action => prepareAction(action, at)),
    constantEffects: rule.actions.map(action => constantEffectIn(action, at)),
  }));
  const conditions = rules.map(rule => rule.expressions.map(unrollLists));
  return {
    phase,
    conditions: prepareConditions(conditions, { profile, environment, place }),
    rules,
    conjuncts: () => prepareConjuncts(conditions, { profile, environment, place }),
  };
}

function prepareConditions(rules: readonly (readonly TypedAst[])[], context: ConjunctsContext): PhaseConditions {
  const { profile, environment, place } = context;
  const conditions = compileRules(rules, environment);
  const build = activationBuilder(profile, place, rules.flat());
  const settle = prepareSettling(rules, context);
  return {
    evaluateAll: (state, results) => {
      conditions.evaluateAll(build(state), results);
      for (let rule = 0; rule < results.length; rule++)
        if (isUnclear(results[rule]!)) results[rule] = settle(rule, state, results[rule]!);
    },
    visit: (state, visit) =>
      conditions.visit(build(state), (rule, result) => {
        if (!isUnclear(result)) return visit(rule, result);
        const settled = settle(rule, state, result);
        return settled === false || visit(rule, settled);
      }),
  };
}

function inlined(source: string, typed: TypedAst | undefined, environment: Environment): TypedAst {
  if (typed === undefined) throw new InternalError(`\`${source}\` has an error`);
  return inlineBodies(typed, environment);
}

/** The context that an action is prepared for. */
export interface ActionScope {
  readonly profile: Profile;
  readonly environment: Environment;
  readonly place: ActionContext['place'];
  readonly compile?: CompileExpression;
}

/** Prepares an action to run. */
export function prepareAction(
  { type, fact, config }: Pick<Action, 'type' | 'fact' | 'config'>,
  at: ActionScope,
): RunAction {
  if (fact === undefined) throw new InternalError(`no effect for the action \`${type.value}\``);
  const prepare = ownValue(EFFECTS, type.value) ?? addedAction;
  return prepare(config, actionContext(fact, at));
}

function constantEffectIn({ type, fact, config }: Action, at: ActionScope): ConstantEffect | undefined {
  return fact === undefined ? undefined : constantEffect(type.value, config, actionContext(fact, at));
}

/** Returns what an action may use in a context. */
export function actionContext(
  fact: ActionContext['fact'],
  { profile, environment, place, compile = compileExpression }: ActionScope,
): ActionContext {
  return {
    fact,
    place,
    side: SIDES[place.phase],
    switches: profile.switches,
    dialect: dialectOf(profile),
    results: resultNames(profile, fact.type),
    compile: (source, as) => compile(source, { profile, place, environment }, as),
    compileUntraced: source => compileExpression(source, { profile, place, environment }),
  };
}

function resultNames(profile: Profile, action: string): ActionContext['results'] {
  const paths = profile.variables
    .filter(variable => variable.setBy === action)
    .map(variable => variable.path.split('.'));
  const [first] = paths;
  if (first === undefined) return { prefix: undefined, names: [] };
  return { prefix: first.slice(0, 3).join('.'), names: paths.map(path => path.slice(3).join('.')) };
}

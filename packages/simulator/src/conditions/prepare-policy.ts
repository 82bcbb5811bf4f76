/**
 * Prepares the rules of a phase, once for all exchanges: compiles conditions to one function, with an index where there are many, and
 * actions.
 */
import type { EvaluationContext, Phase, Profile } from '@tollgate/catalog';
import {
  type Activation,
  type Conditions,
  compileConditions,
  type Environment,
  indexConditions,
  type NonValue,
  readsOf,
  type TypedAst,
} from '@tollgate/cel';
import { conjunctsOf, hasLoop, inlineBodies, unrollLists } from '@tollgate/cel/tooling';
import { InternalError, ownValue } from '@tollgate/diagnostics';
import {
  type Action,
  type ActionAssumptions,
  findPattern,
  type PhaseEnvironments,
  type Policy,
  type Rule,
} from '@tollgate/policy';
import { withAssumption } from '../actions/assumed-action.ts';
import { type ActionContext, type Effects, type RunAction, SIDES } from '../actions/effect.ts';
import { addedAction, type ConstantEffect, constantEffect, EFFECTS } from '../actions/registry.ts';
import { dialectOf } from '../exchange-state/dialect.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { activationBuilder } from '../variables/activation.ts';
import { type CompileExpression, compileExpression } from '../variables/expression.ts';
import { conjunctionOfGroups, type PreparedConjuncts } from './condition-columns.ts';
import { type ConditionValue, type EvaluateConditions, isUnclear } from './unclear-conditions.ts';

/** What running the rules of a phase takes. */
export interface RunnablePhase {
  readonly phase: Phase;
  readonly conditions: Pick<PhaseConditions, 'evaluateAll' | 'next'>;
  readonly rules: readonly Pick<PreparedRule, 'actions'>[];
}

/** The compiled rules of one phase. */
export interface PreparedPhase extends RunnablePhase {
  readonly conditions: PhaseConditions;
  readonly rules: readonly PreparedRule[];
  /** Compiles the conjuncts of all conditions, grouped by their inputs; undefined if a condition may have another result each time. */
  readonly conjuncts: () => readonly PreparedConjuncts[] | undefined;
}

/** The conditions of a phase's rules in a state. */
interface PhaseConditions {
  /** Replaces `results` by those of all rules. */
  readonly evaluateAll: EvaluateConditions;
  /**
   * Finds the first rule from a position on whose condition is not false, stores its result as the first of `results`, and returns its position; -1
   * if there is none. Missing where that is not how conditions were compiled.
   */
  readonly next?: (state: TrafficState, results: ConditionValue[], from: number) => number;
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
  /** What actions do whose effect no exchange shows. */
  readonly assume?: ActionAssumptions | undefined;
  /** What actions do instead of what they do in simulations. */
  readonly effects?: Effects | undefined;
}

/** Compiles the rules of one phase. Throws an {@link InternalError} for a rule with an error or an unknown action. */
export function preparePhase(policy: Policy | undefined, phase: Phase, preparation: Preparation): PreparedPhase {
  const at = scopeIn(policy, phase, preparation);
  const rules = (policy?.rules[phase] ?? []).map(rule => ({
    expressions: inlinedIn(rule, at),
    ...preparedActions(rule, at),
  }));
  return phaseOf(rules, at, prepareConditions(conditionsOf(rules), at));
}

/** A compiled phase of a policy. */
interface PhaseOfPolicy {
  readonly policy: Policy;
  readonly prepared: PreparedPhase;
}

/**
 * Compiles the rules of a phase that another policy lacks. What it has with the same conditions or the same actions is not compiled again, so
 * policies with one changed rule each take little time. Conditions must not draw random numbers, because those of the other policy are evaluated as
 * well.
 */
export function prepareChanges(other: PhaseOfPolicy, policy: Policy, preparation: Preparation): PreparedPhase {
  const { phase } = other.prepared;
  const [was, own] = [other.policy.rules[phase], policy.rules[phase]];
  if (own === was) return other.prepared;
  const at = scopeIn(policy, phase, preparation);
  const positions = own.map(({ expressions }) => was.findIndex(one => one.expressions === expressions));
  const rules = own.map((rule, index) => {
    const known = other.prepared.rules[positions[index]!];
    const sameActions = other.prepared.rules[was.findIndex(({ actions }) => actions === rule.actions)];
    const { actions, constantEffects } = sameActions ?? preparedActions(rule, at);
    return { expressions: known?.expressions ?? inlinedIn(rule, at), actions, constantEffects };
  });
  const changed = positions.flatMap((position, index) => (position < 0 ? [index] : []));
  const conditions = prepareConditions(conditionsOf(changed.map(index => rules[index]!)), at);
  const [known, ownResults]: ConditionValue[][] = [[], changed.map(() => false)];
  const evaluateAll: EvaluateConditions = (state, results) => {
    other.prepared.conditions.evaluateAll(state, known!);
    if (changed.length > 0) conditions.evaluateAll(state, ownResults!);
    for (const [index, position] of positions.entries())
      results[index] = position < 0 ? ownResults![changed.indexOf(index)]! : known![position]!;
  };
  return phaseOf(rules, at, { evaluateAll, visit: visitEach(evaluateAll) });
}

function visitEach(evaluateAll: EvaluateConditions): PhaseConditions['visit'] {
  const results: ConditionValue[] = [];
  return (state, visit) => {
    evaluateAll(state, results);
    for (let rule = 0; rule < results.length; rule++) {
      const result = results[rule]!;
      if (result !== false && !visit(rule, result)) return;
    }
  };
}

export function scopeIn(policy: Policy | undefined, phase: Phase, preparation: Preparation): PhaseScope {
  const { profile, environments, compile = compileExpression, assume, effects } = preparation;
  const place = { endpoint: policy?.endpoint ?? profile.endpoints[0]!, phase };
  return { profile, environment: environments[phase], place, compile, assume, effects };
}

export function inlinedIn({ expressions }: Rule, { environment }: PhaseScope): readonly TypedAst[] {
  return expressions.map(({ source, typed }) => inlined(source, typed, environment));
}

function preparedActions({ actions }: Rule, at: PhaseScope): Pick<PreparedRule, 'actions' | 'constantEffects'> {
  return {
    actions: actions.map(action => prepareAction(action, at)),
    constantEffects: actions.map(action => constantEffectIn(action, at)),
  };
}

function conditionsOf(rules: readonly PreparedRule[]): readonly (readonly TypedAst[])[] {
  return rules.map(rule => rule.expressions.map(unrollLists));
}

function phaseOf(rules: readonly PreparedRule[], at: PhaseScope, conditions: PhaseConditions): PreparedPhase {
  return { phase: at.place.phase, conditions, rules, conjuncts: () => prepareConjuncts(conditionsOf(rules), at) };
}

export type PhaseScope = ActionScope & ConjunctsContext;

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
export interface ActionScope extends Partial<Pick<ActionContext, 'find' | 'findAny'>> {
  readonly profile: Profile;
  readonly environment: Environment;
  readonly place: ActionContext['place'];
  readonly compile?: CompileExpression;
  /** For what a trace does not show. */
  readonly compileUntraced?: CompileExpression;
  readonly assume?: ActionAssumptions | undefined;
  readonly effects?: Effects | undefined;
}

/** Prepares an action to run. */
export function prepareAction(
  { type, fact, config }: Pick<Action, 'type' | 'fact' | 'config'>,
  at: ActionScope,
): RunAction {
  if (fact === undefined) throw new InternalError(`no effect for the action \`${type.value}\``);
  const prepare = (at.effects && ownValue(at.effects, type.value)) ?? ownValue(EFFECTS, type.value) ?? addedAction;
  const context = actionContext(fact, at);
  const run = prepare(config, context);
  const assumption = at.assume && ownValue(at.assume, type.value);
  return assumption === undefined ? run : withAssumption(run, assumption, context.results);
}

function constantEffectIn({ type, fact, config }: Action, at: ActionScope): ConstantEffect | undefined {
  return fact === undefined ? undefined : constantEffect(type.value, config, actionContext(fact, at));
}

/** Returns what an action may use in a context. */
export function actionContext(fact: ActionContext['fact'], at: ActionScope): ActionContext {
  const { profile, environment, place, compile = compileExpression, compileUntraced = compileExpression } = at;
  const { find = findPattern, findAny = () => findPattern } = at;
  return {
    fact,
    place,
    side: SIDES[place.phase],
    switches: profile.switches,
    dialect: dialectOf(profile),
    results: resultNames(profile, fact.type),
    compile: (source, as) => compile(source, { profile, place, environment }, as),
    compileUntraced: source => compileUntraced(source, { profile, place, environment }),
    find,
    findAny,
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

/** The number of rules from which an index is faster than evaluating every condition. */
export const MANY_RULES = 64;

/** The conditions of a phase's rules. */
interface RuleConditions extends Conditions {
  /** Calls `visit` for each rule that may match, in order, until it returns false. */
  readonly visit: (activation: Activation, visit: VisitRule) => void;
}

/** Receives the result of a rule's condition; returns whether to continue. */
type VisitRule = (rule: number, result: true | NonValue) => boolean;

/** Compiles the conditions of a phase's rules, with an index if there are many. */
export function compileRules(rules: readonly (readonly TypedAst[])[], environment: Environment): RuleConditions {
  return rules.length < MANY_RULES ? evaluatedRules(rules, environment) : indexedRules(rules, environment);
}

function evaluatedRules(rules: readonly (readonly TypedAst[])[], environment: Environment): RuleConditions {
  const { evaluateAll } = compileConditions(rules, environment);
  const results: (boolean | NonValue)[] = rules.map(() => false);
  return {
    evaluateAll,
    visit: (activation, visit) => {
      evaluateAll(activation, results);
      for (let rule = 0; rule < results.length; rule++) {
        const result = results[rule]!;
        if (result !== false && !visit(rule, result)) return;
      }
    },
  };
}

function indexedRules(rules: readonly (readonly TypedAst[])[], environment: Environment): RuleConditions {
  const indexed = indexConditions(rules, environment);
  return {
    evaluateAll: (activation, results) => {
      results.length = 0;
      for (let rule = 0; rule < rules.length; rule++) results.push(false);
      indexed.evaluate(activation, (rule, result) => {
        results[rule] = result;
        return true;
      });
    },
    visit: indexed.evaluate,
  };
}

/** Where the rules are. */
interface ConjunctsContext {
  readonly profile: Profile;
  readonly environment: Environment;
  readonly place: EvaluationContext;
}

/** Compiles the conjuncts of rules, grouped by their inputs; undefined if a condition may have another result each time. */
function prepareConjuncts(
  rules: readonly (readonly TypedAst[])[],
  { profile, environment, place }: ConjunctsContext,
): readonly PreparedConjuncts[] | undefined {
  const added = new Set(profile.functions.flatMap(fact => (fact.implementation ? fact.overloadId : [])));
  if (rules.flat().some(typed => calls(typed, added))) return undefined;
  return conjunctsByInput(rules).map(({ conjuncts }) => ready(conjuncts, { profile, environment, place }));
}

/**
 * Returns the result of a rule's condition that is unknown because of unclear headers: each group of its conjuncts is decided under every meaning
 * of the headers that it reads.
 */
type SettleRule = (rule: number, state: TrafficState, result: ConditionValue) => ConditionValue;

/** Prepares to decide conditions under the meanings of unclear headers. Rules are compiled when that is needed. */
function prepareSettling(rules: readonly (readonly TypedAst[])[], context: ConjunctsContext): SettleRule {
  const prepared = new Map<number, readonly PreparedConjuncts[] | undefined>();
  return (rule, state, result) => {
    if (!prepared.has(rule)) prepared.set(rule, prepareConjuncts([rules[rule]!], context));
    const groups = prepared.get(rule);
    return groups === undefined ? result : conjunctionOfGroups(groups, state);
  };
}

function ready(conjuncts: RuleConjuncts, context: ConjunctsContext): PreparedConjuncts {
  const expressions = [...conjuncts.values()];
  return {
    rules: [...conjuncts.keys()],
    conditions: compileRules(expressions, context.environment),
    build: activationBuilder(context.profile, context.place, expressions.flat()),
    source: { rules: expressions, environment: context.environment },
  };
}

type RuleConjuncts = ReadonlyMap<number, readonly TypedAst[]>;

function calls({ references }: TypedAst, overloads: ReadonlySet<string>): boolean {
  return references.some(one => one?.kind === 'function' && one.overloads.some(({ id }) => overloads.has(id)));
}

/** The conjuncts of rules that read the same inputs. */
interface InputConjuncts {
  /** By the position of the rule. */
  readonly conjuncts: ReadonlyMap<number, readonly TypedAst[]>;
}

/**
 * Groups the conjuncts of all conditions by the inputs that they read. A rule matches if its conjuncts in all groups are true, does not match if
 * one of them is false, and is unknown otherwise.
 */
export function conjunctsByInput(rules: readonly (readonly TypedAst[])[]): readonly InputConjuncts[] {
  const found = new Map<string, Map<number, TypedAst[]>>();
  for (const [rule, expressions] of rules.entries()) {
    for (const { reads, typed } of partsOf(expressions)) {
      const ofRules = found.get(reads) ?? new Map<number, TypedAst[]>();
      found.set(reads, ofRules);
      const ofRule = ofRules.get(rule);
      if (ofRule === undefined) ofRules.set(rule, [...typed]);
      else ofRule.push(...typed);
    }
  }
  return [...found.values()].map(conjuncts => ({ conjuncts }));
}

interface Part {
  readonly reads: string;
  readonly typed: readonly TypedAst[];
}

function partsOf(expressions: readonly TypedAst[]): readonly Part[] {
  const conjuncts = expressions.flatMap(conjunctsOf);
  // The steps of a rule are counted together.
  if (conjuncts.filter(hasLoop).length > 1) return [{ reads: readsKey(conjuncts), typed: conjuncts }];
  return conjuncts.map(typed => ({ reads: readsKey([typed]), typed: [typed] }));
}

function readsKey(all: readonly TypedAst[]): string {
  return [...new Set(all.flatMap(typed => readsOf(typed).map(({ text }) => text)))].sort().join('\n');
}

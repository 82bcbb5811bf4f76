/** What a compiler needs to know of a policy to write it as code that runs on the simulator's own effects, without parser and checker. */
import type { ConfigField, Phase, Profile } from '@tollgate/catalog';
import type { Environment, TypedAst } from '@tollgate/cel';
import { unrollLists } from '@tollgate/cel/tooling';
import type { Action, Policy, Rule } from '@tollgate/policy';
import type { ActionConfig, ActionContext, ResultNames } from '../actions/effect.ts';
import {
  actionContext,
  conjunctsByInput,
  inlinedIn,
  type PhaseScope,
  type Preparation,
  prepareAction,
  scopeIn,
} from '../conditions/prepare-policy.ts';
import { type ActivationPlan, activationPlan } from '../variables/activation.ts';
import { type CompileExpression, typedExpression } from '../variables/expression.ts';

/** A phase. */
export interface PhaseParts {
  readonly phase: Phase;
  readonly endpoint: Policy['endpoint'];
  readonly environment: Environment;
  readonly rules: readonly RuleParts[];
  /** What conditions read. */
  readonly activation: ActivationPlan;
  /** Whether conditions draw random numbers or call functions of an extension, so that their order counts. */
  readonly isOrdered: boolean;
}

/** A rule. */
export interface RuleParts {
  readonly rule: Rule;
  /** Its condition. */
  readonly whole: GroupParts;
  /** The same in groups that read the same inputs; undefined if that makes no difference. */
  readonly groups: readonly GroupParts[] | undefined;
  readonly actions: readonly ActionParts[];
}

/** A condition or a part of it: expressions that must all be true. */
interface GroupParts {
  readonly expressions: readonly TypedAst[];
  readonly activation: ActivationPlan;
}

/** An action: all that its effect is prepared with. */
export interface ActionParts {
  readonly action: Action;
  readonly config: ActionConfig;
  readonly fields: readonly Pick<ConfigField, 'name' | 'default' | 'interpolation'>[];
  readonly results: ResultNames;
  /** The expressions that it compiles while it is prepared, in order. */
  readonly expressions: readonly ExpressionParts[];
  /** The patterns that it finds matches of. */
  readonly patterns: readonly string[];
  /** Whether it also finds matches of patterns that are known only while it runs. */
  readonly findsAny: boolean;
}

/** An expression of an action. */
interface ExpressionParts {
  readonly typed: TypedAst;
  readonly activation: ActivationPlan;
}

/** Returns the parts of a policy without errors, for each phase of the profile. */
export function policyParts(
  policy: Policy,
  preparation: Pick<Preparation, 'profile' | 'environments' | 'effects'>,
): readonly PhaseParts[] {
  return preparation.profile.phases.map(phase => phaseParts(policy, phase, preparation));
}

function phaseParts(policy: Policy, phase: Phase, preparation: Preparation): PhaseParts {
  const at = scopeIn(policy, phase, preparation);
  const { profile, place, environment } = at;
  const rules = policy.rules[phase].map(rule => ruleParts(rule, at));
  const all = rules.flatMap(({ whole }) => whole.expressions);
  return {
    phase,
    endpoint: policy.endpoint,
    environment,
    rules,
    activation: activationPlan(profile, place, all),
    isOrdered: all.some(typed => isRandom(typed, profile)),
  };
}

function isRandom({ references }: TypedAst, profile: Profile): boolean {
  const drawn = new Set(profile.functions.flatMap(fact => (fact.opaque === undefined ? [] : [fact.overloadId])));
  return references.some(one => one?.kind === 'function' && one.overloads.some(({ id }) => drawn.has(id)));
}

function ruleParts(rule: Rule, at: PhaseScope): RuleParts {
  const expressions = inlinedIn(rule, at).map(unrollLists);
  const groups = conjunctsByInput([expressions]).map(({ conjuncts }) => groupOf(conjuncts.get(0)!, at));
  return {
    rule,
    whole: groupOf(expressions, at),
    groups: groups.length > 1 ? groups : undefined,
    actions: rule.actions.map(action => actionParts(action, at)),
  };
}

function groupOf(expressions: readonly TypedAst[], { profile, place }: PhaseScope): GroupParts {
  return { expressions, activation: activationPlan(profile, place, expressions) };
}

function actionParts(action: Action, at: PhaseScope): ActionParts {
  const expressions: ExpressionParts[] = [];
  const patterns: string[] = [];
  const compile: CompileExpression = (source, context, as) => {
    const { typed } = typedExpression(source, context, as);
    expressions.push({ typed, activation: activationPlan(context.profile, context.place, [typed]) });
    return { type: typed.resultType, evaluate: () => false };
  };
  let findsAny = false;
  const find: ActionContext['find'] = pattern => {
    patterns.push(pattern);
    return () => [];
  };
  const findAny = () => {
    findsAny = true;
    return find;
  };
  prepareAction(action, { ...at, compile, compileUntraced: compile, find, findAny });
  const { config, fact } = action;
  return {
    action,
    config,
    fields: fact!.config.map(({ name, default: otherwise, interpolation }) => ({
      name,
      ...(otherwise !== undefined && { default: otherwise }),
      ...(interpolation !== undefined && { interpolation }),
    })),
    results: actionContext(fact!, at).results,
    expressions,
    patterns,
    findsAny,
  };
}

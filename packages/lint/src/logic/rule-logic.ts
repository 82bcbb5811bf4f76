import { type Phase, type Profile, variablesAt } from '@tollgate/catalog';
import { type Expr, type TypedAst, unparse } from '@tollgate/cel';
import type { PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { type ConditionContext, type ReadCondition, readCondition } from '../decision/condition.ts';
import { allOf, type Condition } from '../decision/questions.ts';
import { createVocabulary } from '../decision/vocabulary.ts';
import { once } from '../facts/once.ts';
import type { ConditionPlace } from './example-input.ts';
import { nameFactsAt } from './name-facts.ts';
import { PathReader } from './read-paths.ts';
import { effectOf, type RuleEffect } from './rule-effect.ts';
import { validUntil } from './valid-until.ts';
import { isVolatile, volatileOverloads } from './volatile-calls.ts';

/** A rule as far as conditions and order go. */
export interface RuleLogic {
  readonly rule: Rule;
  /** One for each of the rule's expressions; undefined when one of them has an error. */
  readonly expressions: readonly ReadCondition[] | undefined;
  /** All of them together; undefined when one has an error. */
  readonly condition: Condition | undefined;
  readonly effect: RuleEffect;
  /** Up to which position in the phase its conditions are what they were: nothing before changes what they read. */
  readonly validUntil: number;
  /** Equal for rules whose conditions are, in whatever order; undefined where they may differ from one evaluation to the next. */
  readonly text: () => string | undefined;
  /** What another tree of nodes of one of its expressions means. */
  readonly read: (typed: TypedAst, root: Expr) => Condition;
  readonly where: ConditionPlace;
}

/** The rules of one phase, whose conditions may be compared with each other. */
export type PhaseLogic = readonly RuleLogic[];

/** What a policy was analysed with. */
export interface LogicContext {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
  /** Less may have been read of this rule than was written. */
  readonly isMisread: (rule: Rule) => boolean;
}

/** Reads the conditions of all rules of a phase. */
export function phaseLogic(policy: Policy, phase: Phase, logic: LogicContext): PhaseLogic {
  const { profile, environments } = logic;
  const rules = policy.rules[phase];
  if (rules.length === 0) return [];
  const place = { endpoint: policy.endpoint, phase };
  const facts = nameFactsAt(profile, place);
  const context = { environment: environments[phase], facts, vocabulary: createVocabulary() };
  const variables = variablesAt(profile, place);
  const volatile = volatileOverloads(profile);
  const where = { profile, place, environment: context.environment };
  const read: RuleLogic['read'] = (typed, root) => readCondition({ ...typed, ast: { ...typed.ast, root } }, context);
  const paths = new PathReader(context.environment);
  const found = rules.map(rule => {
    const known = logic.isMisread(rule) ? undefined : conditionsOf(rule, context);
    const reads = () => known?.expressions.flatMap(one => paths.read(one.typed)) ?? [];
    return { rule, known, effect: effectOf(rule, variables), reads };
  });
  const ends = validUntil(found);
  return found.map(({ rule, known, effect }, index) => ({
    ...{ rule, effect, read, where, expressions: known?.expressions, condition: known?.condition },
    validUntil: ends[index]!,
    text: once(() => textOf(rule, volatile)),
  }));
}

function textOf({ expressions }: Rule, volatile: readonly string[]): string | undefined {
  const typed = expressions.flatMap(expression => expression.typed ?? []);
  if (typed.length < expressions.length || typed.some(one => isVolatile(one, one.ast.root, volatile))) return undefined;
  return typed
    .map(one => unparse(one.ast))
    .toSorted()
    .join('\n');
}

interface Known {
  readonly expressions: readonly ReadCondition[];
  readonly condition: Condition;
}

/** Undefined where one of the expressions has an error. */
function conditionsOf(rule: Rule, context: ConditionContext): Known | undefined {
  const expressions: ReadCondition[] = [];
  for (const { typed } of rule.expressions) {
    if (!typed) return undefined;
    expressions.push(readCondition(typed, context));
  }
  return { expressions, condition: allOf(expressions) };
}

import { type Phase, type Profile, variablesAt } from '@tollgate/catalog';
import { type Expr, type TypedAst, unparse } from '@tollgate/cel';
import type { PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { RuleApproximation } from '../../approximation/rule-approximation.ts';
import { memoize } from '../../primitives/memoize.ts';
import type { Work } from '../../primitives/work.ts';
import { allOf, type Condition } from '../../solver/formula/condition.ts';
import { type ReadCondition, readCondition } from '../../solver/reader/read-condition.ts';
import { isUnsatisfiable } from '../../solver/search/queries.ts';
import { createVocabulary } from '../../solver/values/vocabulary.ts';
import { nameMetadataAt } from '../effects/name-metadata.ts';
import { PathReader } from '../effects/read-paths.ts';
import { effectOf, type RuleEffect } from '../effects/rule-effect.ts';
import { validUntil } from '../effects/valid-until.ts';
import { isVolatile, volatileOverloads } from '../effects/volatile-calls.ts';
import type { ExampleContext } from '../examples/example-input.ts';

/** The conditions of a rule and its effect on others. Conditions are read on first use. */
export interface RuleLogic {
  readonly rule: Rule;
  /** A cheap approximation of its conditions, to be consulted first; undefined if an expression has an error. */
  readonly approximation: RuleApproximation | undefined;
  /** One condition for each expression; undefined if an expression has an error. */
  readonly expressions: readonly ReadCondition[] | undefined;
  /** All of them together; undefined if an expression has an error. */
  readonly condition: Condition | undefined;
  /** Returns true if it is proved that its conditions never hold. */
  readonly isImpossible: () => boolean;
  readonly effect: RuleEffect;
  /** Its conditions have the same result at all positions up to this one: nothing before changes what they read. */
  readonly validUntil: number;
  /** Equal for rules with the same conditions, in any order; undefined if they are volatile. */
  readonly text: () => string | undefined;
  /** Reads another tree in the context of one of its expressions. */
  readonly read: (typed: TypedAst, root: Expr) => Condition;
  readonly where: ExampleContext;
  readonly work: Work;
}

/** The rules of one phase; their conditions can be compared. */
export type PhaseLogic = readonly RuleLogic[];

/** The context of a policy. */
export interface LogicContext {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
  /** Returns true if the analysis may have dropped parts of the rule. */
  readonly isIncomplete: (rule: Rule) => boolean;
  /** Bounds what is spent on proofs. */
  readonly work: Work;
}

/** Reads the conditions of all rules of a phase. */
export function phaseLogic(policy: Policy, phase: Phase, logic: LogicContext): PhaseLogic {
  const { profile, environments, work } = logic;
  const rules = policy.rules[phase];
  if (rules.length === 0) return [];
  const place = { endpoint: policy.endpoint, phase };
  const facts = nameMetadataAt(profile, place);
  const context = { environment: environments[phase], facts, vocabulary: createVocabulary() };
  const variables = variablesAt(profile, place);
  const volatile = volatileOverloads(profile);
  const where = { profile, place, environment: context.environment, environments, policy, work };
  const read: RuleLogic['read'] = (typed, root) => readCondition({ ...typed, ast: { ...typed.ast, root } }, context);
  const paths = new PathReader(context.environment);
  const found = rules.map(rule => {
    const typed = logic.isIncomplete(rule) ? undefined : typedOf(rule);
    const approximation = typed && new RuleApproximation(typed, context.environment, work);
    const reads = () => approximation?.paths() ?? typed?.flatMap(one => paths.read(one)) ?? [];
    return { rule, typed, approximation, effect: effectOf(rule, variables), reads };
  });
  const ends = validUntil(found);
  return found.map(({ rule, typed, approximation, effect }, index) => {
    const expressions = memoize(() => typed?.map(one => readCondition(one, context)));
    const condition = memoize(() => expressions() && allOf(expressions()!));
    return {
      ...{ rule, approximation, effect, read, where, validUntil: ends[index]!, work },
      text: memoize(() => textOf(rule, volatile)),
      isImpossible: memoize(() => approximation?.canMatch() === false && isUnsatisfiable(condition()!, work)),
      get expressions() {
        return expressions();
      },
      get condition() {
        return condition();
      },
    };
  });
}

function textOf({ expressions }: Rule, volatile: readonly string[]): string | undefined {
  const typed = expressions.flatMap(expression => expression.typed ?? []);
  if (typed.length < expressions.length || typed.some(one => isVolatile(one, one.ast.root, volatile))) return undefined;
  return typed
    .map(one => unparse(one.ast))
    .toSorted()
    .join('\n');
}

/** Returns undefined if one of the expressions has an error. */
function typedOf(rule: Rule): readonly TypedAst[] | undefined {
  const found: TypedAst[] = [];
  for (const { typed } of rule.expressions) {
    if (!typed) return undefined;
    found.push(typed);
  }
  return found;
}

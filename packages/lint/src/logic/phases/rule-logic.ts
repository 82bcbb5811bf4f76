import { type Phase, type Profile, variablesAt } from '@tollgate/catalog';
import { type Expr, type TypedAst, unparse } from '@tollgate/cel';
import type { PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { type Condition, ConditionQuestions, type Session } from '@tollgate/solver/conditions';
import { memoize } from '../../primitives/memoize.ts';
import { PathReader } from '../effects/read-paths.ts';
import { effectOf, type RuleEffect } from '../effects/rule-effect.ts';
import { validUntil } from '../effects/valid-until.ts';
import { isVolatile, volatileOverloads } from '../effects/volatile-calls.ts';

/** The conditions of a rule and its effect on others. Conditions are read on first use. */
export interface RuleLogic {
  readonly rule: Rule;
  /** False if an expression has an error, or if parts of the rule may be missing. */
  readonly isComplete: boolean;
  /** All conditions together; undefined if the rule is not complete. */
  readonly condition: Condition | undefined;
  /** Returns true if it is proved that its conditions never hold. */
  readonly isImpossible: () => boolean;
  readonly effect: RuleEffect;
  /** Its conditions have the same result at all positions up to this one: nothing before changes what they read. */
  readonly validUntil: number;
  /** Equal for rules with the same conditions, in any order; undefined if they are volatile. */
  readonly text: () => string | undefined;
  /** Returns the condition that an expression of the rule is, or a part of it that is outside of its loops. */
  readonly read: (typed: TypedAst, root?: Expr) => Condition;
  readonly questions: ConditionQuestions;
}

/** The rules of one phase; their conditions can be compared. */
export type PhaseLogic = readonly RuleLogic[];

/** The context of a policy. */
export interface LogicContext {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
  /** Returns true if the analysis may have dropped parts of the rule. */
  readonly isIncomplete: (rule: Rule) => boolean;
  /** What the questions about the policy share. */
  readonly session: Session;
  /** Returns what reads the conditions of a phase. */
  readonly readerOf: (questions: ConditionQuestions) => RuleLogic['read'];
}

/** Reads the conditions of all rules of a phase. */
export function phaseLogic(policy: Policy, phase: Phase, logic: LogicContext): PhaseLogic {
  const { profile, environments, session } = logic;
  const rules = policy.rules[phase];
  if (rules.length === 0) return [];
  const variables = variablesAt(profile, { endpoint: policy.endpoint, phase });
  const volatile = volatileOverloads(profile);
  const questions = new ConditionQuestions(session, phase);
  const read = logic.readerOf(questions);
  const paths = new PathReader(environments[phase]);
  const found = rules.map(rule => {
    const typed = logic.isIncomplete(rule) ? undefined : typedOf(rule);
    return {
      rule,
      typed,
      effect: effectOf(rule, variables),
      reads: () => typed?.flatMap(one => paths.read(one)) ?? [],
    };
  });
  const ends = validUntil(found);
  return found.map(({ rule, typed, effect }, index) => {
    const condition = memoize(() => typed && questions.allOf(typed.map(one => read(one))));
    return {
      ...{ rule, effect, read, questions, validUntil: ends[index]!, isComplete: typed !== undefined },
      text: memoize(() => textOf(rule, volatile)),
      isImpossible: memoize(() => condition() !== undefined && questions.isUnsatisfiable(condition()!)),
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
export function typedOf(rule: Rule): readonly TypedAst[] | undefined {
  const found: TypedAst[] = [];
  for (const { typed } of rule.expressions) {
    if (!typed) return undefined;
    found.push(typed);
  }
  return found;
}

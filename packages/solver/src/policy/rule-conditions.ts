import type { Policy, Rule } from '@tollgate/policy';
import type { Condition } from '../logic/condition.ts';
import { type Signal, TRUE } from '../logic/graph.ts';
import {
  type Change,
  changeBy,
  changesOfPhase,
  conditionAfter,
  type PhaseExpressions,
  ruleCondition,
} from './rule-history.ts';
import type { Session } from './session.ts';

/** The conditions of the rules of one policy, each read once, after what earlier rules may have changed. */
export class RuleConditions {
  readonly #session: Session;
  readonly #policy: Policy;
  readonly #changing: readonly Rule[];
  readonly #conditions = new Map<Rule, Condition>();
  readonly #isPartial: (rule: Rule) => boolean;

  /** @param isPartial returns true for rules of which parts are missing; they may match anything */
  constructor(session: Session, policy: Policy, isPartial: (rule: Rule) => boolean = () => false) {
    this.#isPartial = isPartial;
    this.#session = session;
    this.#policy = policy;
    const rules = session.context.profile.phases.flatMap(phase => policy.rules[phase]);
    this.#changing = rules.filter(rule => changeBy(session, rule, { id: '', matches: () => TRUE }) !== undefined);
  }

  /** Returns the condition of a rule if it is reached. */
  of(rule: Rule): Condition {
    let condition = this.#conditions.get(rule);
    if (condition === undefined) {
      condition = this.#isPartial(rule)
        ? this.#session.anyCondition()
        : ruleCondition(this.#session, rule, this.#changesBefore(rule));
      this.#conditions.set(rule, condition);
    }
    return condition;
  }

  /** Returns the signal that holds where a rule matches if it is reached. */
  matches(rule: Rule): Signal {
    return this.of(rule).whenTrue;
  }

  /** Returns the signal that holds where an expression of a rule fails, so that the rule does not match although it is reached. */
  fails(rule: Rule): Signal {
    const { whenTrue, whenFalse } = this.of(rule);
    return this.#session.vocabulary.graph.and([-whenTrue, -whenFalse]);
  }

  /** Returns the condition of an expression that is evaluated when a rule is reached. */
  at(rule: Rule, typed: PhaseExpressions['typed']): Condition {
    return conditionAfter(this.#session, { phase: rule.phase, typed }, this.#changesBefore(rule));
  }

  #changesBefore(rule: Rule): readonly Change[] {
    const { phases } = this.#session.context.profile;
    const changes = phases
      .slice(0, phases.indexOf(rule.phase))
      .flatMap(phase => changesOfPhase(this.#session, phase, this.#policy.rules[phase]));
    for (const one of this.#changing) {
      if (one.phase !== rule.phase || one.index >= rule.index) continue;
      const id = `${one.phase} ${one.index}`;
      changes.push(changeBy(this.#session, one, { id, matches: () => this.matches(one) })!);
    }
    return changes;
  }
}

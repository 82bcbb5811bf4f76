import type { Phase, Profile } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import type { Place } from '@tollgate/traffic';
import type { Decision } from '../decide/decision.ts';
import { OutcomeTally } from './outcome-tally.ts';
import { RuleTally } from './rule-tally.ts';
import type { PolicySummary } from './summary.ts';

/** Adds up what one policy did. */
export class PolicyTally {
  readonly #outcomes = new OutcomeTally();
  readonly #rules: readonly RuleTally[];

  /** @param policy undefined where only modules work on the traffic */
  constructor(policy: Policy | undefined, profile: Profile) {
    const rules = policy ? profile.phases.flatMap(phase => policy.rules[phase]) : [];
    this.#rules = rules.map(rule => new RuleTally(labelOf(rule)));
  }

  add(decision: Decision, place: Place): void {
    this.#outcomes.add(decision, place);
    decision.rules.forEach((result, index) => {
      this.#rules[index]!.add(result, place);
    });
  }

  /** @param late exchanges that came out of the order of time */
  summary(late: number): PolicySummary {
    return {
      rules: this.#rules.map(rule => rule.summary()),
      outcomes: this.#outcomes.outcomes(),
      undetermined: this.#outcomes.undetermined(),
      ...(late > 0 && { late }),
    };
  }
}

function labelOf(rule: Policy['rules'][Phase][number]) {
  return {
    phase: rule.phase,
    index: rule.index,
    name: rule.name?.value,
    actions: rule.actions.map(action => action.type.value),
  };
}

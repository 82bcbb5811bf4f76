import type { Phase, Profile } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import type { Decision } from '../decide/decision.ts';
import type { BreakdownOptions } from './breakdown.ts';
import { BreakdownTally } from './breakdown-tally.ts';
import { OutcomeTally } from './outcome-tally.ts';
import { RuleTally } from './rule-tally.ts';
import type { PolicySummary } from './summary.ts';

/** What a policy's figures are added up for. */
export interface PolicyTallyOptions {
  readonly profile: Profile;
  readonly breakdown?: BreakdownOptions | undefined;
}

/** Adds up what one policy did. */
export class PolicyTally {
  readonly #outcomes = new OutcomeTally();
  readonly #rules: readonly RuleTally[];
  readonly #breakdown: BreakdownTally | undefined;

  /**
   * @param policy undefined where only modules work on the traffic
   * @param breakdown undefined where the figures are not broken down
   */
  constructor(policy: Policy | undefined, { profile, breakdown }: PolicyTallyOptions) {
    const rules = policy ? profile.phases.flatMap(phase => policy.rules[phase]) : [];
    this.#rules = rules.map(rule => new RuleTally(labelOf(rule)));
    this.#breakdown = breakdown && new BreakdownTally(rules.length, breakdown);
  }

  add(exchange: Exchange, decision: Decision): void {
    const { place } = exchange;
    this.#breakdown?.add(exchange, decision);
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
      ...(this.#breakdown && { breakdown: this.#breakdown.summary() }),
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

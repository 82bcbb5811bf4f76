import type { Phase, Profile } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import type { Verdict } from '../../decision/verdict.ts';
import { RewriteTally } from '../counting/rewrite-tally.ts';
import { type Counted, CountedExchange } from '../keys/counted.ts';
import type { BreakdownOptions } from '../summary/breakdown.ts';
import type { PolicySummary } from '../summary/summary.ts';
import { BreakdownTally } from './breakdown-tally.ts';
import { type HeaderKnowledge, HeaderNeeds } from './header-needs.ts';
import { OutcomeTally } from './outcome-tally.ts';
import { RuleTally } from './rule-tally.ts';

/** The context of a policy's figures. */
export interface PolicyTallyOptions {
  readonly profile: Profile;
  /** Undefined if the figures are not broken down. */
  readonly breakdown?: BreakdownOptions | undefined;
}

/** The number of distinct verdicts that are counted before they are added up. */
const MAX_SHARED = 10_000;

/** Adds up what one policy did. */
export class PolicyTally {
  readonly #outcomes = new OutcomeTally();
  readonly #rules: readonly RuleTally[];
  readonly #rewritten: RewriteTally;
  /** How often each verdict that exchanges share was repeated. */
  readonly #shared = new Map<Verdict, { readonly place: RecordLocation; again: number }>();
  readonly #breakdown: BreakdownTally | undefined;
  readonly #headerNeeds = new HeaderNeeds();
  #exchanges = 0;

  /** @param policy undefined if there are only modules */
  constructor(policy: Policy | undefined, { profile, breakdown }: PolicyTallyOptions) {
    const rules = policy ? profile.phases.flatMap(phase => policy.rules[phase]) : [];
    this.#rules = rules.map(rule => new RuleTally(labelOf(rule)));
    this.#rewritten = new RewriteTally(rules.map(rule => labelOf(rule).actions));
    this.#breakdown = breakdown && new BreakdownTally(rules.length, breakdown);
  }

  /** @param verdict may be the same object for many exchanges */
  add(exchange: Exchange, verdict: Verdict): void {
    this.count(new CountedExchange(exchange), verdict);
  }

  /** Like `add`, for the countable parts of an exchange. */
  count(counted: Counted, verdict: Verdict): void {
    this.#exchanges++;
    this.#breakdown?.add(counted, verdict);
    this.#headerNeeds.add(counted, verdict);
    const known = this.#shared.get(verdict);
    if (known !== undefined) {
      known.again++;
      return;
    }
    // The first one is added at once, so that its location is the first one of anything new.
    const { place } = counted;
    this.#count(verdict, place, 1);
    if (verdict.number === undefined) return;
    if (this.#shared.size === MAX_SHARED) this.#settle();
    this.#shared.set(verdict, { place, again: 0 });
  }

  /** Counts `times` exchanges, except for the breakdown and {@link countHeaderNeeds}. Call it in the order of the first ones, which are at `place`. */
  countGroup(verdict: Verdict, place: RecordLocation, times: number): void {
    this.#exchanges += times;
    this.#count(verdict, place, times);
  }

  countHeaderNeeds(counted: HeaderKnowledge, verdict: Verdict, times: number): void {
    this.#headerNeeds.add(counted, verdict, times);
  }

  /** @param late number of exchanges that were out of order */
  summary(late: number): PolicySummary {
    this.#settle();
    const rewritten = this.#rewritten.summary();
    return {
      rules: this.#rules.map(rule => rule.summary(this.#exchanges)),
      outcomes: this.#outcomes.outcomes(),
      undetermined: {
        ...this.#outcomes.undetermined(),
        ...(this.#headerNeeds.count > 0 && { byCompleteHeaders: this.#headerNeeds.count }),
      },
      ...(rewritten && { rewritten }),
      ...(late > 0 && { late }),
      ...(this.#breakdown && { breakdown: this.#breakdown.summary() }),
    };
  }

  #settle(): void {
    for (const [verdict, { place, again }] of this.#shared) this.#count(verdict, place, again);
    this.#shared.clear();
  }

  #count(verdict: Verdict, place: RecordLocation, times: number): void {
    this.#outcomes.add(verdict, place, times);
    this.#rewritten.add(verdict, times);
    for (const { rule, result } of verdict.hits) this.#rules[rule]!.add(result, place, times);
    for (const rule of verdict.notReached) this.#rules[rule]!.addNotReached(times);
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

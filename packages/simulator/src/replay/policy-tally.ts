/** Counts outcomes, rules and what was missing, for the report of a replay. */
import type { Phase, Profile } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import type { Outcome } from '../actions/effect.ts';
import { isUnclearInput } from '../exchange-state/dialect.ts';
import type { ActionResult, HitResult, Verdict } from '../simulation/decision.ts';
import { BreakdownTally } from './breakdown-tally.ts';
import { IntervalCounter, OccurrenceCounter, RewriteTally } from './counter.ts';
import { type Counted, CountedExchange } from './key-breakdown.ts';
import {
  type BreakdownOptions,
  compareOutcomes,
  type OutcomeSummary,
  outcomeKey,
  type PolicySummary,
  type ReplaySummary,
  type RuleSummary,
} from './summary.ts';

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

/** What identifies a rule in the summary. */
interface RuleLabel {
  readonly phase: Phase;
  readonly index: number;
  readonly name: string | undefined;
  /** Types of its actions. */
  readonly actions: readonly string[];
}

/** Counts what one rule did. Exchanges that did not match are the remainder. */
class RuleTally {
  readonly #label: RuleLabel;
  readonly #counts: Record<HitResult['status'] | 'not-reached', number> = {
    matched: 0,
    failed: 0,
    'not-reached': 0,
    undetermined: 0,
  };
  readonly #fired: readonly IntervalCounter[];
  readonly #errors = new OccurrenceCounter();
  readonly #needs = new OccurrenceCounter();

  constructor(label: RuleLabel) {
    this.#label = label;
    this.#fired = label.actions.map(() => new IntervalCounter());
  }

  /** @param place location of the first of `times` exchanges */
  add(result: HitResult, place: RecordLocation, times: number): void {
    this.#counts[result.status] += times;
    if (result.status === 'failed') {
      this.#errors.add(result.error.message, place, times);
      return;
    }
    if (result.status === 'undetermined') for (const need of result.needs) this.#needs.add(need, place, times);
    this.#addActions(result.actions, times);
  }

  addNotReached(times: number): void {
    this.#counts['not-reached'] += times;
  }

  #addActions(results: readonly ActionResult[], times: number): void {
    results.forEach((result, index) => {
      if (result !== 'idle') this.#fired[index]!.add(result === 'fired', times);
    });
  }

  /** @param exchanges the number of all exchanges */
  summary(exchanges: number): RuleSummary {
    const { phase, index, name, actions } = this.#label;
    const { matched, failed, 'not-reached': notReached, undetermined } = this.#counts;
    return {
      phase,
      index,
      name,
      matched,
      notMatched: exchanges - matched - failed - notReached - undetermined,
      failed,
      notReached,
      undetermined,
      actions: actions.map((type, position) => ({ type, fired: this.#fired[position]!.interval })),
      errors: this.#errors.list(),
      needs: this.#needs.list(),
    };
  }
}

/** Counts outcomes. */
class OutcomeTally {
  readonly #outcomes = new Map<string, { readonly outcome: Outcome; readonly counter: IntervalCounter }>();
  readonly #needs = new OccurrenceCounter();
  #undetermined = 0;

  /** @param place location of the first of `times` exchanges */
  add({ outcomes, needs }: Verdict, place: RecordLocation, times: number): void {
    const isCertain = outcomes.length === 1;
    for (const outcome of outcomes) this.#counter(outcome).add(isCertain, times);
    if (isCertain) return;
    this.#undetermined += times;
    for (const need of needs) this.#needs.add(need, place, times);
  }

  outcomes(): OutcomeSummary[] {
    const all = [...this.#outcomes.values()].map(({ outcome, counter }) => ({ outcome, count: counter.interval }));
    return all.sort((a, b) => compareOutcomes(a.outcome, b.outcome));
  }

  undetermined(): ReplaySummary['undetermined'] {
    return { exchanges: this.#undetermined, needs: this.#needs.list() };
  }

  #counter(outcome: Outcome): IntervalCounter {
    const key = outcomeKey(outcome);
    const known = this.#outcomes.get(key) ?? { outcome, counter: new IntervalCounter() };
    this.#outcomes.set(key, known);
    return known.counter;
  }
}

/** Whose headers a recording may contain completely. */
type HeaderKnowledge = Pick<Counted, 'mayHaveAllHeaders'>;

/** Counts exchanges that are undetermined only because it is unknown which headers were not sent. */
class HeaderNeeds {
  /** Whose headers a verdict needs; undefined if it needs anything else. Cached by verdict, because exchanges share them. */
  readonly #needs = new WeakMap<Verdict, readonly ('request' | 'response')[] | undefined>();
  /** Those whose recording may contain all headers. */
  count = 0;

  add(counted: HeaderKnowledge, verdict: Verdict, times = 1): void {
    if (verdict.outcomes.length === 1) return;
    if (!this.#needs.has(verdict)) this.#needs.set(verdict, messagesOf(verdict));
    const messages = this.#needs.get(verdict);
    if (messages?.every(message => counted.mayHaveAllHeaders(message))) this.count += times;
  }
}

/** `req.Headers["X-Key"]`, `res.headers`. */
const HEADERS = /^re([qs])\.headers\b/i;

function messagesOf({ needs }: Verdict): readonly ('request' | 'response')[] | undefined {
  // That all headers were recorded does not clear up one that may have been.
  const sides = needs.map(need => (isUnclearInput(need) ? undefined : HEADERS.exec(need)?.[1]?.toLowerCase()));
  if (sides.length === 0 || sides.includes(undefined)) return undefined;
  return [...new Set(sides.map(side => (side === 'q' ? 'request' : 'response')))];
}

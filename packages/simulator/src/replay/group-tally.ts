/** The figures of a replay from groups of exchanges that an engine counted. */
import type { Policy } from '@tollgate/policy';
import type { RecordLocation } from '@tollgate/traffic';
import type { Outcome } from '../actions/effect.ts';
import type { Verdict } from '../simulation/decision.ts';
import { breakdownSummary, hasKeys, type TimeData } from './breakdown-tally.ts';
import { StatusTally } from './counter.ts';
import { PolicyTally, type PolicyTallyOptions } from './policy-tally.ts';
import { type KeyDimension, type KeySummary, outcomeKey, type PolicySummary } from './summary.ts';

/** Exchanges with one verdict that an engine counted. */
export interface CountedGroup {
  readonly verdict: Verdict;
  /** The location of the first one. */
  readonly place: RecordLocation;
  readonly parts: readonly CountedPart[];
}

/** Exchanges of a group that differ only by time and key. */
interface CountedPart {
  /** The number of the first one. */
  readonly first: number;
  readonly times: number;
  /** Undefined if unknown. */
  readonly status: number | undefined;
  /** Whether a setting of the reader would show which headers were not sent. */
  readonly mayHaveAllHeaders: Readonly<Record<'request' | 'response', boolean>>;
}

/** What an engine counted by time and key. */
export interface CountedBreakdown {
  /** Series by {@link GroupTally.seriesOf}. */
  readonly time: TimeData;
  /** By rule, followed by {@link GroupTally.seriesOf}; undefined if not requested. */
  readonly keys: readonly { readonly [dimension in KeyDimension]: KeySummary }[] | undefined;
}

/** Adds up groups of exchanges to the figures of a replay. */
export class GroupTally {
  readonly #policy: PolicyTally;
  readonly #statuses: (Pick<CountedPart, 'first' | 'times' | 'status'> & { readonly after: Verdict['status'] })[] = [];
  readonly #outcomes: (Outcome | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();
  readonly #ruleCount: number;

  constructor(policy: Policy, { profile }: PolicyTallyOptions) {
    this.#policy = new PolicyTally(policy, { profile });
    this.#ruleCount = profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  }

  /** Call it in the order of the first exchanges. */
  add({ verdict, place, parts }: CountedGroup): void {
    for (const { first, times, status, mayHaveAllHeaders } of parts) {
      this.#policy.countHeaderNeeds({ mayHaveAllHeaders: message => mayHaveAllHeaders[message] }, verdict, times);
      this.#statuses.push({ first, times, status, after: verdict.status });
    }
    this.#policy.countGroup(
      verdict,
      place,
      parts.reduce((sum, { times }) => sum + times, 0),
    );
  }

  /** Returns the number of the series that counts a verdict by time; rules have the first numbers. */
  seriesOf({ outcomes }: Pick<Verdict, 'outcomes'>): number {
    if (outcomes.length !== 1) return this.#ruleCount;
    const key = outcomeKey(outcomes[0]!);
    const known = this.#numbers.get(key) ?? this.#outcomes.length;
    if (known === this.#outcomes.length) this.#outcomes.push(outcomes[0]);
    this.#numbers.set(key, known);
    return this.#ruleCount + known;
  }

  /** The outcomes that are counted by time, in the order of the series after those of rules; undefined for undetermined ones. */
  get outcomes(): readonly (Outcome | undefined)[] {
    return this.#outcomes;
  }

  /** The number of series, including those of rules. */
  get seriesCount(): number {
    return this.#ruleCount + this.#outcomes.length;
  }

  /** Returns the numbers that keys of exchanges with a verdict are listed under: the rules that matched, and the series of the outcome. */
  listedUnder(verdict: Verdict): readonly number[] {
    const matched = verdict.hits.flatMap(({ rule, result }) => (result.status === 'matched' ? rule : []));
    const isListed = verdict.outcomes.length === 1 && hasKeys(verdict.outcomes[0]);
    return isListed ? [...matched, this.seriesOf(verdict)] : matched;
  }

  /** @param breakdown undefined if the figures are not broken down */
  summary(breakdown: CountedBreakdown | undefined): PolicySummary {
    const summary = this.#policy.summary(0);
    if (breakdown === undefined) return summary;
    const statuses = new StatusTally();
    // Only so many pairs are told apart: those that occur first.
    for (const { status, after, times } of this.#statuses.sort((a, b) => a.first - b.first))
      statuses.add(status, after, times);
    const [ruleCount, outcomes] = [this.#ruleCount, this.#outcomes];
    return {
      ...summary,
      breakdown: breakdownSummary({ ...breakdown, ruleCount, outcomes, statuses: statuses.list() }),
    };
  }
}

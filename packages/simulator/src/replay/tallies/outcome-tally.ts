import type { RecordLocation } from '@tollgate/traffic';
import type { Verdict } from '../../decision/verdict.ts';
import type { Outcome } from '../../effects/model/effect.ts';
import { IntervalCounter, type Occurrence, OccurrenceCounter } from '../counting/counter.ts';
import type { LocationOf } from '../counting/tally.ts';
import { compareOutcomes, outcomeKey } from '../summary/outcome-order.ts';
import type { OutcomeSummary, ReplaySummary } from '../summary/summary.ts';

/** The counts of an {@link OutcomeTally}. */
export interface OutcomeTallyData {
  readonly outcomes: readonly OutcomeSummary[];
  readonly undetermined: number;
  readonly needs: readonly Occurrence[];
}

/** Counts outcomes. */
export class OutcomeTally {
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

  merge({ outcomes, undetermined, needs }: OutcomeTallyData, locationOf: LocationOf): void {
    for (const { outcome, count } of outcomes) this.#counter(outcome).merge(count);
    this.#undetermined += undetermined;
    this.#needs.merge(needs, locationOf);
  }

  data(): OutcomeTallyData {
    return { outcomes: this.#counted(), undetermined: this.#undetermined, needs: this.#needs.data() };
  }

  outcomes(): OutcomeSummary[] {
    return this.#counted().sort((a, b) => compareOutcomes(a.outcome, b.outcome));
  }

  undetermined(): ReplaySummary['undetermined'] {
    return { exchanges: this.#undetermined, needs: this.#needs.list() };
  }

  #counted(): OutcomeSummary[] {
    return [...this.#outcomes.values()].map(({ outcome, counter }) => ({ outcome, count: counter.interval }));
  }

  #counter(outcome: Outcome): IntervalCounter {
    const key = outcomeKey(outcome);
    const known = this.#outcomes.get(key) ?? { outcome, counter: new IntervalCounter() };
    this.#outcomes.set(key, known);
    return known.counter;
  }
}

import type { RecordLocation } from '@tollgate/traffic';
import type { Verdict } from '../../decision/verdict.ts';
import type { Outcome } from '../../effects/model/effect.ts';
import { IntervalCounter, OccurrenceCounter } from '../counting/counter.ts';
import { compareOutcomes, outcomeKey } from '../summary/outcome-order.ts';
import type { OutcomeSummary, ReplaySummary } from '../summary/summary.ts';

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

import type { Place } from '@tollgate/traffic';
import type { Decision } from '../decide/decision.ts';
import type { Outcome } from '../effects/effect.ts';
import { IntervalCounter, OccurrenceCounter } from './counter.ts';
import { compareOutcomes, outcomeKey } from './outcome-order.ts';
import type { OutcomeSummary, ReplaySummary } from './summary.ts';

/** Adds up what became of exchanges. */
export class OutcomeTally {
  readonly #outcomes = new Map<string, { readonly outcome: Outcome; readonly counter: IntervalCounter }>();
  readonly #needs = new OccurrenceCounter();
  #undetermined = 0;

  add(decision: Decision, place: Place): void {
    const isCertain = decision.outcomes.length === 1;
    for (const outcome of decision.outcomes) this.#counter(outcome).add(isCertain);
    if (isCertain) return;
    this.#undetermined++;
    for (const need of decision.needs) this.#needs.add(need, place);
  }

  outcomes(): OutcomeSummary[] {
    const found = [...this.#outcomes.values()].map(({ outcome, counter }) => ({ outcome, count: counter.interval }));
    return found.sort((a, b) => compareOutcomes(a.outcome, b.outcome));
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

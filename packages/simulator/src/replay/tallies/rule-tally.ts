import type { Phase } from '@tollgate/catalog';
import type { RecordLocation } from '@tollgate/traffic';
import type { ActionResult } from '../../decision/decision.ts';
import type { HitResult } from '../../decision/verdict.ts';
import { IntervalCounter, OccurrenceCounter } from '../counting/counter.ts';
import type { RuleSummary } from '../summary/summary.ts';

/** What identifies a rule in the summary. */
interface RuleLabel {
  readonly phase: Phase;
  readonly index: number;
  readonly name: string | undefined;
  /** Types of its actions. */
  readonly actions: readonly string[];
}

/** Counts what one rule did. Exchanges that did not match are the remainder. */
export class RuleTally {
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

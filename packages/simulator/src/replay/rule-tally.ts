import type { Phase } from '@tollgate/catalog';
import type { Place } from '@tollgate/traffic';
import type { ActionTrace, RuleResult } from '../decide/decision.ts';
import { IntervalCounter, OccurrenceCounter } from './counter.ts';
import type { RuleSummary } from './summary.ts';

/** What of a rule is shown beside its figures. */
export interface RuleLabel {
  readonly phase: Phase;
  readonly index: number;
  readonly name: string | undefined;
  /** Types of its actions. */
  readonly actions: readonly string[];
}

/** Adds up what one rule did. */
export class RuleTally {
  readonly #label: RuleLabel;
  readonly #counts: Record<RuleResult['status'], number> = {
    matched: 0,
    'not-matched': 0,
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

  add(result: RuleResult, place: Place): void {
    this.#counts[result.status]++;
    if (result.status === 'failed') this.#errors.add(result.error.message, place);
    if (result.status === 'undetermined') for (const need of result.needs) this.#needs.add(need, place);
    if (result.status === 'matched' || result.status === 'undetermined') this.#addActions(result.actions);
  }

  #addActions(traces: readonly ActionTrace[]): void {
    traces.forEach(({ result }, index) => {
      if (result !== 'idle') this.#fired[index]!.add(result === 'fired');
    });
  }

  summary(): RuleSummary {
    const { phase, index, name, actions } = this.#label;
    return {
      phase,
      index,
      name,
      matched: this.#counts.matched,
      notMatched: this.#counts['not-matched'],
      failed: this.#counts.failed,
      notReached: this.#counts['not-reached'],
      undetermined: this.#counts.undetermined,
      actions: actions.map((type, position) => ({ type, fired: this.#fired[position]!.interval })),
      errors: this.#errors.list(),
      needs: this.#needs.list(),
    };
  }
}

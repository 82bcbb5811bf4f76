import type { Exchange } from '@tollgate/traffic';
import type { Decision } from '../decision/decision.ts';
import type { Verdict } from '../decision/verdict.ts';
import { isInShare, NumberedSample, type Sample } from './sample.ts';

/** Which exchanges a replay reports. All are decided if decisions depend on earlier exchanges. */
export interface TrafficSelection {
  /** Earliest time, in ms since 1970-01-01T00:00:00Z. */
  readonly since?: number;
  /** Time before which an exchange must be, in ms since 1970-01-01T00:00:00Z. */
  readonly until?: number;
  /** Returns whether an exchange is reported; undefined if the recording does not show that. */
  readonly where?: (exchange: Exchange, verdict: Verdict) => boolean | undefined;
  /** A share or a number of the exchanges that the other conditions select. The same ones each time. */
  readonly sample?: Sample;
}

/** What a selection left of the traffic. */
export interface SelectionSummary {
  readonly selected: number;
  /** Exchanges that were left out because the recording does not show whether they are selected. */
  readonly unknown: number;
}

/** An exchange with its decision. */
export interface DecidedExchange {
  readonly exchange: Exchange;
  readonly verdict: Verdict;
  /** If it was asked for. */
  readonly decision: Decision | undefined;
}

/** Passes the selected exchanges on: at once, or at the end if a number of them is sampled. */
export class Selector {
  readonly #selection: TrafficSelection;
  readonly #count: (decided: DecidedExchange) => void;
  readonly #sample: NumberedSample<DecidedExchange> | undefined;
  #selected = 0;
  #unknown = 0;

  constructor(selection: TrafficSelection, count: (decided: DecidedExchange) => void) {
    this.#selection = selection;
    this.#count = count;
    const { sample } = selection;
    if (sample && 'count' in sample) this.#sample = new NumberedSample(sample);
  }

  /** Returns false if an exchange is certainly not selected, whatever the decision. Counts those whose time is unknown. */
  mayTake(exchange: Exchange): boolean {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, sample } = this.#selection;
    const { time } = exchange;
    const isTimed = this.#selection.since !== undefined || this.#selection.until !== undefined;
    if (isTimed && time === undefined) {
      this.#unknown++;
      return false;
    }
    if (isTimed && (time! < since || time! >= until)) return false;
    return sample === undefined || !('percent' in sample) || isInShare(exchange.place, sample);
  }

  /** Takes an exchange that {@link mayTake} allows. */
  offer(decided: DecidedExchange): void {
    const { where } = this.#selection;
    const isSelected = where === undefined ? true : where(decided.exchange, decided.verdict);
    if (isSelected === undefined) this.#unknown++;
    if (isSelected !== true) return;
    if (this.#sample === undefined) this.#take(decided);
    else this.#sample.add(decided.exchange.place, decided);
  }

  /** Passes the sampled exchanges on, in the order of decisions. */
  finish(): SelectionSummary {
    for (const decided of this.#sample?.finish() ?? []) this.#take(decided);
    return { selected: this.#selected, unknown: this.#unknown };
  }

  #take(decided: DecidedExchange): void {
    this.#selected++;
    this.#count(decided);
  }
}

/** Which exchanges of a recording are reported: a time range, a sample, a condition. */
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import type { Decision, Verdict } from '../simulation/decision.ts';
import type { DecisionCondition } from './traffic-condition.ts';

/** Which exchanges a replay reports. All are decided if decisions depend on earlier exchanges. */
export interface TrafficSelection {
  /** Earliest time, in ms since 1970-01-01T00:00:00Z. */
  readonly since?: number;
  /** Time before which an exchange must be, in ms since 1970-01-01T00:00:00Z. */
  readonly until?: number;
  /** Exchanges for which it is not known to hold are left out. */
  readonly where?: DecisionCondition;
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
    const { exchange, verdict } = decided;
    const isSelected = where === undefined ? true : where.holds(exchange, where.valuesOf(exchange, verdict));
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

/** A share of exchanges in percent, or a number of them, chosen by a seed. */
export type Sample = SampledShare | SampledNumber;

interface SampledShare {
  readonly percent: number;
  readonly seed: number;
}

interface SampledNumber {
  readonly count: number;
  readonly seed: number;
}

/** Returns whether a share contains the exchange at a location. */
export function isInShare(place: RecordLocation, { percent, seed }: SampledShare): boolean {
  return rankOf(place, seed) * 100 < percent;
}

/** Keeps a number of the items that are added. Which ones depends on their locations and the seed only. */
export class NumberedSample<Item> {
  readonly #sample: SampledNumber;
  /** The lowest ranks are kept. */
  #held: { readonly rank: number; readonly item: Item }[] = [];

  constructor(sample: SampledNumber) {
    this.#sample = sample;
  }

  add(place: RecordLocation, item: Item): void {
    const { count, seed } = this.#sample;
    this.#held.push({ rank: rankOf(place, seed), item });
    if (this.#held.length > 2 * count + MARGIN) this.#keep(count);
  }

  /** Returns the sample, in the order in which the items were added. */
  finish(): readonly Item[] {
    this.#keep(this.#sample.count);
    return this.#held.map(({ item }) => item);
  }

  #keep(count: number): void {
    if (this.#held.length <= count) return;
    const ranks = Float64Array.from(this.#held, ({ rank }) => rank).sort();
    const limit = ranks[count];
    this.#held = this.#held.filter(({ rank }) => limit === undefined || rank < limit);
  }
}

const MARGIN = 1000;

/** Returns a number from 0 to 1 that depends only on the location of an exchange and the seed. */
function rankOf({ file, number }: RecordLocation, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < file.length; at++) hash = Math.imul(hash ^ file.charCodeAt(at), 0x01000193);
  const low = mixed(hash ^ mixed(number));
  const high = mixed(low ^ Math.floor(number / 2 ** 32) ^ 0x9e3779b9);
  return (low * 2 ** 21 + (high >>> 11)) / 2 ** 53;
}

/** The finalizer of MurmurHash3 (Austin Appleby, public domain): every bit of the input changes half of the output. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

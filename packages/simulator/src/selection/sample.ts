import type { RecordLocation } from '@tollgate/traffic';

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

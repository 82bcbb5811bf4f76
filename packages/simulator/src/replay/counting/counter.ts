import type { Place } from '@tollgate/traffic';
import type { PlaceOf } from './tally.ts';

/** How often something happened: known, or within bounds. */
export interface Interval {
  readonly least: number;
  readonly most: number;
}

/** How often something happened, and where first. */
export interface Occurrence {
  readonly text: string;
  readonly count: number;
  readonly example: Place;
}

/** Different texts that are counted apart; inputs can be named by what clients send, which is without bound. */
const MAX_TEXTS = 1000;

/** Counts texts. Beyond the limit, new ones are counted together. */
export class OccurrenceCounter {
  readonly #occurrences = new Map<string, { count: number; readonly example: Place }>();

  add(text: string, place: Place, times = 1): void {
    const key = this.#occurrences.has(text) || this.#occurrences.size < MAX_TEXTS ? text : 'others';
    const known = this.#occurrences.get(key);
    if (known === undefined) this.#occurrences.set(key, { count: times, example: place });
    else known.count += times;
  }

  /** @param data what another has counted behind this one */
  merge(data: readonly Occurrence[], placeOf: PlaceOf): void {
    for (const { text, count, example } of data) this.add(text, placeOf(example), count);
  }

  /** In the order in which they were found. */
  data(): Occurrence[] {
    return [...this.#occurrences].map(([text, { count, example }]) => ({ text, count, example }));
  }

  /** The most frequent first. */
  list(): Occurrence[] {
    return this.data().sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  }
}

/** Counts what happens for sure and what may happen apart. */
export class IntervalCounter {
  #least = 0;
  #most = 0;

  add(isCertain: boolean, times = 1): void {
    if (isCertain) this.#least += times;
    this.#most += times;
  }

  merge({ least, most }: Interval): void {
    this.#least += least;
    this.#most += most;
  }

  get interval(): Interval {
    return { least: this.#least, most: this.#most };
  }
}

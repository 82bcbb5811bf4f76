import type { RecordLocation } from '@tollgate/traffic';
import type { LocationOf } from './tally.ts';

/** How often something happened: exactly, or within bounds. */
export interface Interval {
  readonly least: number;
  readonly most: number;
}

/** How often something happened, and where first. */
export interface Occurrence {
  readonly text: string;
  readonly count: number;
  readonly example: RecordLocation;
}

/** The number of distinct strings that are counted separately: clients can name inputs, which makes their number unbounded. */
const MAX_TEXTS = 1000;

/** Counts strings. Beyond the limit, new ones are counted together. */
export class OccurrenceCounter {
  readonly #occurrences = new Map<string, { count: number; readonly example: RecordLocation }>();

  add(text: string, place: RecordLocation, times = 1): void {
    const key = this.#occurrences.has(text) || this.#occurrences.size < MAX_TEXTS ? text : 'others';
    const known = this.#occurrences.get(key);
    if (known === undefined) this.#occurrences.set(key, { count: times, example: place });
    else known.count += times;
  }

  /** @param data counts of the input that follows */
  merge(data: readonly Occurrence[], locationOf: LocationOf): void {
    for (const { text, count, example } of data) this.add(text, locationOf(example), count);
  }

  /** In order of first occurrence. */
  data(): Occurrence[] {
    return [...this.#occurrences].map(([text, { count, example }]) => ({ text, count, example }));
  }

  /** Most frequent first. */
  list(): Occurrence[] {
    return this.data().sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  }
}

/** Counts certain and possible events separately. */
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

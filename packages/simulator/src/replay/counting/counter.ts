import type { RecordLocation } from '@tollgate/traffic';

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

  /** Most frequent first. */
  list(): Occurrence[] {
    const all = [...this.#occurrences].map(([text, { count, example }]) => ({ text, count, example }));
    return all.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
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

  get interval(): Interval {
    return { least: this.#least, most: this.#most };
  }
}

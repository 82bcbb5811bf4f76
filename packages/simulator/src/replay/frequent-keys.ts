import type { Interval } from './counter.ts';

/** How often a key came. */
export interface KeyCount {
  readonly text: string;
  readonly count: Interval;
}

/** What {@link FrequentKeys} has counted, as plain data. */
export interface FrequentKeysData {
  readonly counts: readonly (readonly [key: string, count: number])[];
  readonly missing: number;
}

/** UTF-16 units of a key that are kept: keys are what clients send. */
const MAX_KEY_LENGTH = 160;

/**
 * Counts keys of which there may be any number. While none was dropped, counts are exact; after that, those of the frequent ones are
 * within bounds, which are the same for all (Misra and Gries, "Finding repeated elements", 1982; merging as Agarwal and others,
 * "Mergeable summaries", 2012, who prove that the bounds hold).
 */
export class FrequentKeys {
  /** Counts are objects, so that counting a key once more takes one look-up. */
  readonly #counts = new Map<string, { count: number }>();
  /** What each count may lack at most; a key that is not held came no more often than this. */
  #missing = 0;

  /** Gives whether the key is new here. */
  add(text: string): boolean {
    const key = text.length > MAX_KEY_LENGTH ? cut(text) : text;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count++;
      return false;
    }
    this.#counts.set(ownText(key), { count: 1 });
    return true;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Keeps the most frequent keys only; takes a pass over the keys and a sort of their counts. */
  keep(capacity: number): void {
    if (this.size <= capacity) return;
    const counts = Float64Array.from(this.#counts.values(), ({ count }) => count).sort();
    const excess = counts[counts.length - capacity - 1]!;
    for (const [key, held] of this.#counts) {
      held.count -= excess;
      if (held.count <= 0) this.#counts.delete(key);
    }
    this.#missing += excess;
  }

  /** Adds what was counted elsewhere. */
  merge({ counts, missing }: FrequentKeysData): void {
    for (const [key, count] of counts) {
      const known = this.#counts.get(key);
      if (known === undefined) this.#counts.set(key, { count });
      else known.count += count;
    }
    this.#missing += missing;
  }

  data(): FrequentKeysData {
    return { counts: this.#held(), missing: this.#missing };
  }

  /** How many different keys came; undefined when some were dropped. */
  get distinct(): number | undefined {
    return this.#missing === 0 ? this.size : undefined;
  }

  /** The most frequent first; equally frequent ones by their text. */
  top(length: number): KeyCount[] {
    const sorted = this.#held().sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
    return sorted.slice(0, length).map(([text, least]) => ({ text, count: { least, most: least + this.#missing } }));
  }

  #held(): [key: string, count: number][] {
    return Array.from(this.#counts, ([key, { count }]) => [key, count]);
  }
}

function cut(text: string): string {
  return `${text.slice(0, MAX_KEY_LENGTH - 1)}…`;
}

/** A text cut out of another keeps the whole of it in memory, which may be a stretch of a log: this one stands by itself, and is well-formed. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}

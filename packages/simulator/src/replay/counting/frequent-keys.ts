import type { Interval } from './counter.ts';

/** How often a key came. */
export interface KeyCount {
  readonly text: string;
  readonly count: Interval;
}

/** What {@link FrequentKeys} has counted, as plain data. */
export interface FrequentKeysData {
  readonly keys: readonly string[];
  /** Of each key. */
  readonly counts: readonly number[];
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

  get size(): number {
    return this.#counts.size;
  }

  /** Keeps the most frequent keys only; takes a pass over the keys and a sort of their counts. */
  keep(capacity: number): void {
    if (this.size <= capacity) return;
    const excess = excessOf(
      Array.from(this.#counts.values(), ({ count }) => count),
      capacity,
    );
    for (const [key, held] of this.#counts) {
      held.count -= excess;
      if (held.count <= 0) this.#counts.delete(key);
    }
    this.#missing += excess;
  }

  /** Adds what was counted elsewhere. */
  merge({ keys, counts, missing }: FrequentKeysData): void {
    keys.forEach((key, index) => {
      const known = this.#counts.get(key);
      if (known === undefined) this.#counts.set(key, { count: counts[index]! });
      else known.count += counts[index]!;
    });
    this.#missing += missing;
  }

  data(): FrequentKeysData {
    const counts = Array.from(this.#counts.values(), ({ count }) => count);
    return { keys: [...this.#counts.keys()], counts, missing: this.#missing };
  }

  /** How many different keys came; undefined when some were dropped. */
  get distinct(): number | undefined {
    return this.#missing === 0 ? this.size : undefined;
  }

  /** The most frequent first; equally frequent ones by their text. */
  top(length: number): KeyCount[] {
    const first: [text: string, count: number][] = [];
    for (const [text, { count }] of this.#counts) {
      const last = first.at(-1);
      if (first.length >= length && (last === undefined || !isBefore([text, count], last))) continue;
      const at = first.findIndex(one => isBefore([text, count], one));
      first.splice(at < 0 ? first.length : at, 0, [text, count]);
      if (first.length > length) first.pop();
    }
    return first.map(([text, least]) => ({ text, count: { least, most: least + this.#missing } }));
  }
}

function isBefore([a, one]: readonly [string, number], [b, other]: readonly [string, number]): boolean {
  return one === other ? a < b : one > other;
}

/** Counts up to here are told apart without sorting. */
const SMALL = 256;

/** What all counts are to be lessened by so that at most so many are left: the next smaller one. */
export function excessOf(counts: readonly number[], capacity: number): number {
  if (counts.length <= capacity) return 0;
  const histogram = new Uint32Array(SMALL + 1);
  for (const count of counts) histogram[Math.min(count, SMALL)]!++;
  let left = counts.length;
  for (let excess = 0; excess < SMALL; excess++) {
    left -= histogram[excess]!;
    if (left <= capacity) return excess;
  }
  return Float64Array.from(counts).sort()[counts.length - capacity - 1]!;
}

/** A key as it is counted: a long one is cut. */
export function shortKey(text: string): string {
  return text.length > MAX_KEY_LENGTH ? `${text.slice(0, MAX_KEY_LENGTH - 1).toWellFormed()}…` : text;
}

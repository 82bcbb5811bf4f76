/** The most frequent keys of a stream, in bounded memory, with bounds on their counts. */
import type { Interval } from './counter.ts';

/** A key and bounds on its count. */
export interface KeyCount {
  readonly text: string;
  readonly count: Interval;
}

/** The counts of {@link FrequentKeys} as plain data. */
export interface FrequentKeysData {
  readonly keys: readonly string[];
  /** Parallel to the keys. */
  readonly counts: readonly number[];
  readonly missing: number;
}

/** The greatest length of a key in UTF-16 units. Longer ones are shortened, because clients determine them. */
export const MAX_KEY_LENGTH = 160;

/**
 * Counts an unbounded number of keys. Counts are exact until keys are dropped; after that, the most frequent keys have bounds of one common
 * width (Misra and Gries, "Finding repeated elements", 1982; merging as in Agarwal and others, "Mergeable summaries", 2012, who prove the
 * bounds).
 */
export class FrequentKeys {
  /** Counts are objects, so that incrementing one takes a single look-up. */
  readonly #counts = new Map<string, { count: number }>();
  /** The most that any count may be short of; a dropped key occurred no more often than this. */
  #missing = 0;

  get size(): number {
    return this.#counts.size;
  }

  /** Keeps only the most frequent keys; takes one pass over the keys and a sort of their counts. */
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

  /** Adds counts from elsewhere. */
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

  /** The number of distinct keys; undefined if some were dropped. */
  get distinct(): number | undefined {
    return this.#missing === 0 ? this.size : undefined;
  }

  /** Returns the most frequent keys first, equal ones in string order. */
  top(length: number): KeyCount[] {
    const { keys, counts, missing } = this.data();
    return topKeys(counts, id => keys[id]!, length).map(({ text, count: { least } }) => ({
      text,
      count: { least, most: least + missing },
    }));
  }
}

/** Returns the keys with the largest counts first, equal ones in string order; those with a count of zero do not occur. */
export function topKeys(counts: ArrayLike<number>, keyOf: (id: number) => string, length: number): KeyCount[] {
  const first: number[] = [];
  const isBefore = (a: number, b: number) => (counts[a] === counts[b] ? keyOf(a) < keyOf(b) : counts[a]! > counts[b]!);
  // Nearly all are below the last of the first ones.
  let least = 1;
  for (let id = 0; id < counts.length; id++) {
    if (counts[id]! < least) continue;
    const last = first.at(-1);
    if (first.length >= length && (last === undefined || !isBefore(id, last))) continue;
    const at = first.findIndex(one => isBefore(id, one));
    first.splice(at < 0 ? first.length : at, 0, id);
    if (first.length > length) first.pop();
    if (first.length === length) least = counts[first.at(-1)!]!;
  }
  return first.map(id => ({ text: keyOf(id), count: { least: counts[id]!, most: counts[id]! } }));
}

/** Counts up to this one need no sorting. */
const SMALL = 256;

/** Returns by how much to reduce all counts so that at most `capacity` remain: the largest of the others. */
export function excessOf(counts: ArrayLike<number> & Iterable<number>, capacity: number): number {
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

/** Truncates a long key. */
export function shortKey(text: string): string {
  return text.length > MAX_KEY_LENGTH ? `${text.slice(0, MAX_KEY_LENGTH - 1).toWellFormed()}…` : text;
}

/** Cells of a key: its hash, the offset of its units among all, and their number. */
const CELLS = 3;
const [HASH, START, LENGTH] = [0, 1, 2] as const;
const FIRST_CAPACITY = 1024;

const NO_KEY = -1;

/**
 * Assigns ids to strings, from 0 in order of first occurrence. Strings are stored in typed arrays: a map of strings took fifteen times as long if
 * most strings are new, mostly for garbage collection.
 */
export class KeyIds {
  /** A random seed, because clients choose the strings and could make them collide. */
  readonly #seed = Math.floor(Math.random() * 0x7fffffff);
  /** Ids by the hash of the string. */
  #places = new Int32Array(2 * FIRST_CAPACITY).fill(NO_KEY);
  #cells = new Int32Array(CELLS * FIRST_CAPACITY);
  #units = new Uint16Array(16 * FIRST_CAPACITY);
  #unitCount = 0;
  #size = 0;

  /** The number of strings. */
  get size(): number {
    return this.#size;
  }

  /** Returns the id of a string, which is the size before if it is new. */
  idOf(text: string): number {
    if (2 * this.#size === this.#places.length) this.#grow();
    const { length } = text;
    const hash = this.#append(text);
    let place = hash & (this.#places.length - 1);
    for (;;) {
      const id = this.#places[place]!;
      if (id === NO_KEY) return this.#keep(place, hash, length);
      if (this.#isAppended(id, hash, length)) return id;
      place = (place + 1) & (this.#places.length - 1);
    }
  }

  textOf(id: number): string {
    const start = this.#cells[id * CELLS + START]!;
    const units = this.#units.subarray(start, start + this.#cells[id * CELLS + LENGTH]!);
    return String.fromCharCode(...units);
  }

  /** Removes all strings and keeps the memory. */
  clear(): void {
    this.#places.fill(NO_KEY);
    this.#size = 0;
    this.#unitCount = 0;
  }

  /** Writes a string behind the others, where it stays if it is new, and returns its hash. Reading units of a part of a string takes longest. */
  #append(text: string): number {
    const start = this.#unitCount;
    while (start + text.length > this.#units.length)
      this.#units = enlarged(this.#units, new Uint16Array(2 * this.#units.length));
    const units = this.#units;
    let hash = this.#seed;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      units[start + at] = unit;
      hash = Math.imul(hash ^ unit, 0x01000193) ^ (hash >>> 17);
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return hash ^ (hash >>> 13);
  }

  #keep(place: number, hash: number, length: number): number {
    const id = this.#size++;
    this.#cells[id * CELLS + HASH] = hash;
    this.#cells[id * CELLS + START] = this.#unitCount;
    this.#cells[id * CELLS + LENGTH] = length;
    this.#unitCount += length;
    this.#places[place] = id;
    return id;
  }

  #isAppended(id: number, hash: number, length: number): boolean {
    const at = id * CELLS;
    if (this.#cells[at + HASH] !== hash || this.#cells[at + LENGTH] !== length) return false;
    const [units, start, appended] = [this.#units, this.#cells[at + START]!, this.#unitCount];
    for (let unit = 0; unit < length; unit++) if (units[start + unit] !== units[appended + unit]) return false;
    return true;
  }

  #grow(): void {
    this.#cells = enlarged(this.#cells, new Int32Array(2 * this.#cells.length));
    this.#places = new Int32Array(2 * this.#places.length).fill(NO_KEY);
    for (let id = 0; id < this.#size; id++) {
      let place = this.#cells[id * CELLS + HASH]! & (this.#places.length - 1);
      while (this.#places[place] !== NO_KEY) place = (place + 1) & (this.#places.length - 1);
      this.#places[place] = id;
    }
  }
}

function enlarged<T extends Int32Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

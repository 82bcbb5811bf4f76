/**
 * Cells of an entry: the hash of its key, the offset of the key among all units, its length, the first entry of the key, its set, and the next
 * entry of the key or -1; a first entry also has the last.
 */
const CELLS = 7;
const [HASH, START, LENGTH, FIRST, SET, NEXT, LAST] = [0, 1, 2, 3, 4, 5, 6] as const;
const FIRST_CAPACITY = 1024;

const NO_ENTRY = -1;

/**
 * Counts strings, each with the ids of sets. Strings and counts are stored in typed arrays: a map of strings to objects took fifteen times as
 * long if most strings are new, mostly for garbage collection. Entries are numbered in order of first occurrence.
 */
export class KeyCounts {
  /** A random seed, because clients choose the strings and could make them collide. */
  readonly #seed = Math.floor(Math.random() * 0x7fffffff);
  /** First entries by the hash of the key, and other entries by the first one and the set: a key may occur with thousands of sets. */
  #places = new Int32Array(2 * FIRST_CAPACITY).fill(NO_ENTRY);
  #otherPlaces = new Int32Array(2 * FIRST_CAPACITY).fill(NO_ENTRY);
  #cells = new Int32Array(CELLS * FIRST_CAPACITY);
  #counts = new Float64Array(FIRST_CAPACITY);
  #units = new Uint16Array(16 * FIRST_CAPACITY);
  #unitCount = 0;
  #size = 0;

  /** Returns true if the string is new with this set. */
  add(text: string, set: number, times: number): boolean {
    if (this.#size === this.#counts.length) this.#grow();
    const hash = this.#hashOf(text);
    let place = hash & (this.#places.length - 1);
    for (;;) {
      const first = this.#places[place]!;
      if (first === NO_ENTRY) {
        this.#places[place] = this.#size;
        this.#cells[this.#size * CELLS + HASH] = hash;
        this.#addText(text);
        this.#addEntry(this.#size, set, times);
        return true;
      }
      if (this.#isText(first, hash, text)) return this.#count(first, set, times);
      place = (place + 1) & (this.#places.length - 1);
    }
  }

  /** Removes all entries and keeps the memory. */
  clear(): void {
    this.#places.fill(NO_ENTRY);
    this.#otherPlaces.fill(NO_ENTRY);
    this.#size = 0;
    this.#unitCount = 0;
  }

  /** Calls `visit` with the first entry of each string. */
  each(visit: (entry: number) => void): void {
    for (let entry = 0; entry < this.#size; entry++) if (this.#firstOf(entry) === entry) visit(entry);
  }

  textOf(entry: number): string {
    const start = this.#cells[entry * CELLS + START]!;
    const units = this.#units.subarray(start, start + this.#cells[entry * CELLS + LENGTH]!);
    return String.fromCharCode(...units);
  }

  setOf(entry: number): number {
    return this.#cells[entry * CELLS + SET]!;
  }

  countOf(entry: number): number {
    return this.#counts[entry]!;
  }

  /** Returns the next entry of the same string with another set; -1 if there is none. */
  nextOf(entry: number): number {
    return this.#cells[entry * CELLS + NEXT]!;
  }

  #count(first: number, set: number, times: number): boolean {
    if (this.setOf(first) === set) {
      this.#counts[first]! += times;
      return false;
    }
    const mask = this.#otherPlaces.length - 1;
    let place = hashOfPair(first, set) & mask;
    for (;;) {
      const entry = this.#otherPlaces[place]!;
      if (entry === NO_ENTRY) break;
      if (this.#firstOf(entry) === first && this.setOf(entry) === set) {
        this.#counts[entry]! += times;
        return false;
      }
      place = (place + 1) & mask;
    }
    this.#otherPlaces[place] = this.#size;
    this.#cells.copyWithin(this.#size * CELLS, first * CELLS, first * CELLS + FIRST);
    this.#addEntry(first, set, times);
    return true;
  }

  /** The string of the entry has been written before. */
  #addEntry(first: number, set: number, times: number): void {
    const entry = this.#size++;
    const at = entry * CELLS;
    this.#cells[at + FIRST] = first;
    this.#cells[at + SET] = set;
    this.#cells[at + NEXT] = NO_ENTRY;
    if (entry !== first) this.#cells[this.#cells[first * CELLS + LAST]! * CELLS + NEXT] = entry;
    this.#cells[first * CELLS + LAST] = entry;
    this.#counts[entry] = times;
  }

  #firstOf(entry: number): number {
    return this.#cells[entry * CELLS + FIRST]!;
  }

  #addText(text: string): void {
    const start = this.#unitCount;
    while (start + text.length > this.#units.length)
      this.#units = enlarged(this.#units, new Uint16Array(2 * this.#units.length));
    for (let at = 0; at < text.length; at++) this.#units[start + at] = text.charCodeAt(at);
    this.#cells[this.#size * CELLS + START] = start;
    this.#cells[this.#size * CELLS + LENGTH] = text.length;
    this.#unitCount += text.length;
  }

  #isText(entry: number, hash: number, text: string): boolean {
    const at = entry * CELLS;
    if (this.#cells[at + HASH] !== hash || this.#cells[at + LENGTH] !== text.length) return false;
    const start = this.#cells[at + START]!;
    for (let unit = 0; unit < text.length; unit++)
      if (this.#units[start + unit] !== text.charCodeAt(unit)) return false;
    return true;
  }

  #hashOf(text: string): number {
    let hash = this.#seed;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) ^ (hash >>> 17);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return hash ^ (hash >>> 13);
  }

  #grow(): void {
    const capacity = 2 * this.#counts.length;
    this.#cells = enlarged(this.#cells, new Int32Array(CELLS * capacity));
    this.#counts = enlarged(this.#counts, new Float64Array(capacity));
    this.#places = new Int32Array(2 * capacity).fill(NO_ENTRY);
    this.#otherPlaces = new Int32Array(2 * capacity).fill(NO_ENTRY);
    for (let entry = 0; entry < this.#size; entry++) {
      const first = this.#firstOf(entry);
      if (first === entry) place(this.#places, this.#cells[entry * CELLS + HASH]!, entry);
      else place(this.#otherPlaces, hashOfPair(first, this.setOf(entry)), entry);
    }
  }
}

function place(places: Int32Array, hash: number, entry: number): void {
  let at = hash & (places.length - 1);
  while (places[at] !== NO_ENTRY) at = (at + 1) & (places.length - 1);
  places[at] = entry;
}

function hashOfPair(first: number, set: number): number {
  const hash = Math.imul(Math.imul(first, 0x9e3779b1) ^ set, 0x85ebca77);
  return hash ^ (hash >>> 15);
}

function enlarged<T extends Int32Array | Float64Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

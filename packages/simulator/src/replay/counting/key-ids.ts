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

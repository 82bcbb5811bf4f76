/** Cells of an entry: the hash of its key, where the key begins among all units, its length, its set, and the next entry of the key or -1. */
const CELLS = 5;
const [HASH, START, LENGTH, SET, NEXT] = [0, 1, 2, 3, 4] as const;
const FIRST_CAPACITY = 1024;

/** Where an entry is the first of its key, it stands in a place by the hash; others follow it. */
const NO_ENTRY = -1;

/**
 * Counts texts, each with numbers of sets. Texts and counts lie in arrays of numbers: a map of texts to objects took fifteen times as long where most texts
 * are new, most of it for the garbage collector. Entries are numbered in the order in which they come.
 */
export class KeyCounts {
  /** Other texts collide in each table: clients choose texts. */
  readonly #seed = Math.floor(Math.random() * 0x7fffffff);
  #places = new Int32Array(2 * FIRST_CAPACITY).fill(NO_ENTRY);
  #cells = new Int32Array(CELLS * FIRST_CAPACITY);
  #counts = new Float64Array(FIRST_CAPACITY);
  #isFirst = new Uint8Array(FIRST_CAPACITY);
  #units = new Uint16Array(16 * FIRST_CAPACITY);
  #unitCount = 0;
  #size = 0;

  /** Gives whether the text is new with this set. */
  add(text: string, set: number, times: number): boolean {
    if (this.#size === this.#counts.length) this.#grow();
    const hash = this.#hashOf(text);
    let place = hash & (this.#places.length - 1);
    for (;;) {
      const first = this.#places[place]!;
      if (first === NO_ENTRY) {
        this.#places[place] = this.#size;
        this.#isFirst[this.#size] = 1;
        this.#cells[this.#size * CELLS + HASH] = hash;
        this.#addText(text);
        this.#addEntry(set, times);
        return true;
      }
      if (this.#isText(first, hash, text)) return this.#count(first, set, times);
      place = (place + 1) & (this.#places.length - 1);
    }
  }

  /** Forgets all; the room is kept. */
  clear(): void {
    this.#places.fill(NO_ENTRY);
    this.#isFirst.fill(0, 0, this.#size);
    this.#size = 0;
    this.#unitCount = 0;
  }

  /** Calls `visit` with the first entry of each text. */
  each(visit: (entry: number) => void): void {
    for (let entry = 0; entry < this.#size; entry++) if (this.#isFirst[entry] === 1) visit(entry);
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

  /** The next entry of the same text, with another set; -1 where there is none. */
  nextOf(entry: number): number {
    return this.#cells[entry * CELLS + NEXT]!;
  }

  #count(first: number, set: number, times: number): boolean {
    let entry = first;
    for (;;) {
      if (this.setOf(entry) === set) {
        this.#counts[entry]! += times;
        return false;
      }
      const next = this.nextOf(entry);
      if (next === NO_ENTRY) break;
      entry = next;
    }
    this.#cells[entry * CELLS + NEXT] = this.#size;
    this.#cells.copyWithin(this.#size * CELLS, first * CELLS, first * CELLS + SET);
    this.#addEntry(set, times);
    return true;
  }

  /** What its text is has been written. */
  #addEntry(set: number, times: number): void {
    const entry = this.#size++;
    this.#cells[entry * CELLS + SET] = set;
    this.#cells[entry * CELLS + NEXT] = NO_ENTRY;
    this.#counts[entry] = times;
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
    this.#isFirst = enlarged(this.#isFirst, new Uint8Array(capacity));
    this.#places = new Int32Array(2 * capacity).fill(NO_ENTRY);
    this.each(entry => {
      let place = this.#cells[entry * CELLS + HASH]! & (this.#places.length - 1);
      while (this.#places[place] !== NO_ENTRY) place = (place + 1) & (this.#places.length - 1);
      this.#places[place] = entry;
    });
  }
}

function enlarged<T extends Int32Array | Float64Array | Uint8Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

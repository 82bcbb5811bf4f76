/** Numbers for rows of so many numbers: the same for the same rows, from 0. */
export class NumberRows {
  readonly #width: number;
  readonly #capacity: number;
  readonly #rows: Int32Array;
  /** By a hash of the row: its number and 1, or 0. */
  readonly #places: Int32Array;
  #count = 0;

  /** @param capacity a power of 2 */
  constructor(width: number, capacity: number) {
    this.#width = width;
    this.#capacity = capacity;
    this.#rows = new Int32Array(width * capacity);
    this.#places = new Int32Array(2 * capacity);
  }

  /** Whether all numbers are given: the next begins anew. */
  get isFull(): boolean {
    return this.#count === this.#capacity;
  }

  clear(): void {
    this.#count = 0;
    this.#places.fill(0);
  }

  /** The number of a row, or of what is to be the next: then it is {@link count} before. */
  numberOf(row: Int32Array): number {
    let hash = 0;
    for (let at = 0; at < this.#width; at++) hash = Math.imul(hash ^ row[at]!, 0x9e3779b1) ^ (hash >>> 15);
    let place = (hash ^ (hash >>> 16)) >>> 0;
    for (;;) {
      place &= this.#places.length - 1;
      const known = this.#places[place]! - 1;
      if (known < 0) return this.#add(place, row);
      if (this.#isSame(known * this.#width, row)) return known;
      place++;
    }
  }

  get count(): number {
    return this.#count;
  }

  #add(place: number, row: Int32Array): number {
    const { length } = row;
    for (let at = 0; at < length; at++) this.#rows[this.#count * this.#width + at] = row[at]!;
    this.#places[place] = ++this.#count;
    return this.#count - 1;
  }

  #isSame(start: number, row: Int32Array): boolean {
    for (let at = 0; at < this.#width; at++) if (this.#rows[start + at] !== row[at]) return false;
    return true;
  }
}

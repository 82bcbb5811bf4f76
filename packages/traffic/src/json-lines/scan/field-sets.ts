/** Sets of fields that are told apart. */
const MOST_SETS = 4096;
const PLACES = 4 * MOST_SETS;

/** Numbers for the sets of fields that records have, each given as 64 bits in two numbers. */
export class FieldSets {
  readonly #memberCount: number;
  readonly #timeField: number;
  /** By a hash of the set: its number and 1, or 0. */
  readonly #places = new Int32Array(PLACES);
  readonly #low: number[] = [];
  readonly #high: number[] = [];
  readonly #telling: number[] = [];

  /** @param memberCount fields that are members of records, which come first */
  constructor(memberCount: number, timeField: number) {
    this.#memberCount = memberCount;
    this.#timeField = timeField;
  }

  /** From 0; -1 where there are too many sets. */
  numberOf(low: number, high: number): number {
    let place = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77)) >>> 16;
    for (;;) {
      place &= PLACES - 1;
      const known = this.#places[place]! - 1;
      if (known < 0) return this.#add(place, low, high);
      if (this.#low[known] === low && this.#high[known] === high) return known;
      place++;
    }
  }

  /** A field of the set that says something of an exchange, unless it is null; -1 where there is none. */
  tellingOf(set: number): number {
    return this.#telling[set] ?? -1;
  }

  #add(place: number, low: number, high: number): number {
    if (this.#low.length >= MOST_SETS) return -1;
    this.#low.push(low);
    this.#high.push(high);
    this.#telling.push(this.#findTelling(low, high));
    this.#places[place] = this.#low.length;
    return this.#low.length - 1;
  }

  #findTelling(low: number, high: number): number {
    for (let field = 0; field < this.#memberCount; field++) {
      const bits = field < 32 ? low : high;
      if (field !== this.#timeField && ((bits >>> (field & 31)) & 1) === 1) return field;
    }
    return -1;
  }
}

/** Clients may supply the strings; without this, each could keep megabytes alive. In UTF-16 units. */
const LONGEST_KEPT = 1000;

/** A cache for values that are costly to create from a string. When it is full, the least recently used one is dropped. */
export class BoundedCache<Made> {
  readonly #capacity: number;
  readonly #made = new Map<string, Made>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the cached value for a string, or creates it with `make`. */
  get(text: string, make: (text: string) => Made): Made {
    if (text.length > LONGEST_KEPT) return make(text);
    const found = this.#made.get(text);
    const made = found === undefined ? make(text) : found;
    // Inserting it again moves it to the end of the map's order.
    this.#made.delete(text);
    this.#made.set(text, made);
    if (this.#made.size > this.#capacity) this.#made.delete(this.#made.keys().next().value!);
    return made;
  }
}

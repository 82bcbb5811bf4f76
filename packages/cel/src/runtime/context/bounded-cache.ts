/** Clients may supply the strings; without this, each could keep megabytes alive. In UTF-16 units. */
const MAX_CACHED_LENGTH = 1000;

/** A cache for values that are costly to create from a string. When it is full, the least recently used one is dropped. */
export class BoundedCache<Cached> {
  readonly #capacity: number;
  readonly #cached = new Map<string, Cached>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the cached value for a string, or creates it with `make`. */
  get(text: string, make: (text: string) => Cached): Cached {
    if (text.length > MAX_CACHED_LENGTH) return make(text);
    const found = this.#cached.get(text);
    const made = found === undefined ? make(text) : found;
    // Inserting it again moves it to the end of the map's order.
    this.#cached.delete(text);
    this.#cached.set(text, made);
    if (this.#cached.size > this.#capacity) this.#cached.delete(this.#cached.keys().next().value!);
    return made;
  }
}

/** Texts come from clients as well; without this, a few megabytes each could be kept. In UTF-16 units. */
const LONGEST_KEPT = 1000;

/** What is costly to make from a text, for the texts used of late. Full, it forgets the one that was not used for longest. */
export class BoundedCache<Made> {
  readonly #capacity: number;
  readonly #made = new Map<string, Made>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** What `make` gives for the text, made again only when forgotten. */
  get(text: string, make: (text: string) => Made): Made {
    if (text.length > LONGEST_KEPT) return make(text);
    const found = this.#made.get(text);
    const made = found === undefined ? make(text) : found;
    // Putting it in anew moves it to the end of the map's order.
    this.#made.delete(text);
    this.#made.set(text, made);
    if (this.#made.size > this.#capacity) this.#made.delete(this.#made.keys().next().value!);
    return made;
  }
}

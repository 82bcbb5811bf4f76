/** A priority queue; of equal priorities, the entry that was added first comes first. */
export class Heap<T> {
  readonly #entries: { readonly priority: number; readonly order: number; readonly value: T }[] = [];
  #added = 0;

  push(priority: number, value: T): void {
    const entries = this.#entries;
    let at = entries.push({ priority, order: this.#added++, value }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Removes and returns the entry with the least priority. */
  pop(): T | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (first === undefined || last === undefined || entries.length === 0) return first?.value;
    entries[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < entries.length && this.#isBefore(child, least)) least = child;
      }
      if (least === at) return first.value;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#entries[a]!, this.#entries[b]!];
    return first.priority === second.priority ? first.order < second.order : first.priority < second.priority;
  }

  #swap(a: number, b: number): void {
    [this.#entries[a], this.#entries[b]] = [this.#entries[b]!, this.#entries[a]!];
  }
}

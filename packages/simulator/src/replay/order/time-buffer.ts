/** A value with a position in the order of time. */
interface Timed<T> {
  readonly time: number;
  readonly value: T;
}

interface Entry<T> extends Timed<T> {
  /** Breaks ties in order of arrival. */
  readonly order: number;
}

/** A binary heap of values that are buffered to return them in order of time. */
export class TimeBuffer<T> {
  readonly #heap: Entry<T>[] = [];
  #added = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The earliest value, without removing it. */
  get first(): Timed<T> | undefined {
    return this.#heap[0];
  }

  add(time: number, value: T): void {
    const heap = this.#heap;
    const entry = { time, value, order: this.#added++ };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(entry, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = entry;
  }

  /** Removes and returns the earliest value. */
  take(): Timed<T> | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}

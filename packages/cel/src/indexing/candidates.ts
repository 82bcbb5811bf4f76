/** Rules that may match, as positions in ascending order. */
export interface Candidates {
  readonly positions: Int32Array;
  /** If present, only rules whose threshold a number passes are candidates. */
  readonly thresholds?: Thresholds;
}

/** One threshold per position. */
interface Thresholds {
  readonly bounds: Float64Array;
  /** The smallest bound of each {@link BLOCK}, so that most bounds are skipped. */
  readonly least: Float64Array;
  /** Whether a number equal to its bound passes. */
  readonly inclusive: boolean;
}

const BLOCK = 16;

/** @param bounds one per position; a number passes if it is greater */
export function thresholdsOf(bounds: Float64Array, inclusive: boolean): Thresholds {
  const least = new Float64Array(Math.ceil(bounds.length / BLOCK)).fill(Number.POSITIVE_INFINITY);
  for (const [index, bound] of bounds.entries()) {
    const block = Math.floor(index / BLOCK);
    least[block] = Math.min(least[block]!, bound);
  }
  return { bounds, least, inclusive };
}

/** Returns the first index from `at` on whose threshold the number passes; the number of thresholds if there is none. */
function nextPassed({ bounds, least, inclusive }: Thresholds, number: number, at: number): number {
  let index = at;
  while (index < bounds.length) {
    const block = index % BLOCK === 0 ? least[index / BLOCK]! : bounds[index]!;
    if (!(number > block || (inclusive && number === block))) {
      index += index % BLOCK === 0 ? BLOCK : 1;
      continue;
    }
    const bound = bounds[index]!;
    if (number > bound || (inclusive && number === bound)) return index;
    index += 1;
  }
  return bounds.length;
}

/** Merges lists of candidates in ascending order. */
export class Merge {
  readonly #lists: Candidates[] = [];
  readonly #numbers: number[] = [];
  /** The current index in each list, and the candidate there. */
  readonly #at: number[] = [];
  readonly #heads: number[] = [];
  #size = 0;

  clear(): void {
    this.#size = 0;
  }

  /** @param number the value to compare with thresholds */
  add(candidates: Candidates, number = 0): void {
    const { positions, thresholds } = candidates;
    const first = thresholds === undefined ? 0 : nextPassed(thresholds, number, 0);
    if (first >= positions.length) return;
    const size = this.#size;
    this.#lists[size] = candidates;
    this.#numbers[size] = number;
    this.#at[size] = first;
    this.#heads[size] = positions[first]!;
    this.#size = size + 1;
  }

  /** Removes and returns the smallest remaining candidate; undefined if there is none. */
  next(): number | undefined {
    const size = this.#size;
    if (size === 0) return undefined;
    const heads = this.#heads;
    let least = 0;
    for (let list = 1; list < size; list++) if (heads[list]! < heads[least]!) least = list;
    const position = heads[least]!;
    this.#advance(least);
    return position;
  }

  #advance(list: number): void {
    const { positions, thresholds } = this.#lists[list]!;
    const after = this.#at[list]! + 1;
    const at = thresholds === undefined ? after : nextPassed(thresholds, this.#numbers[list]!, after);
    if (at < positions.length) {
      this.#at[list] = at;
      this.#heads[list] = positions[at]!;
      return;
    }
    const last = this.#size - 1;
    this.#lists[list] = this.#lists[last]!;
    this.#numbers[list] = this.#numbers[last]!;
    this.#at[list] = this.#at[last]!;
    this.#heads[list] = this.#heads[last]!;
    this.#size = last;
  }
}

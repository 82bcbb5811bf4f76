/** The least and the most times that something happened. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Bounds by time slot; only the last few slots count. Takes three numbers for each slot with events. */
export class SlotCounts {
  /** Slot, least, most, repeated in order of time. */
  readonly #counts: number[] = [];

  /** Drops slots that no longer count at `slot`. */
  forget(slot: number, span: number): void {
    let gone = 0;
    while (gone < this.#counts.length && this.#counts[gone]! <= slot - span) gone += 3;
    if (gone > 0) this.#counts.splice(0, gone);
  }

  /** @param slot not before an earlier one */
  add(slot: number, { least, most }: Bounds): void {
    const last = this.#counts.length - 3;
    if (last >= 0 && this.#counts[last]! >= slot) {
      this.#counts[last + 1]! += least;
      this.#counts[last + 2]! += most;
    } else this.#counts.push(slot, least, most);
  }

  sum(): Bounds {
    let [least, most] = [0, 0];
    for (let at = 0; at < this.#counts.length; at += 3) {
      least += this.#counts[at + 1]!;
      most += this.#counts[at + 2]!;
    }
    return { least, most };
  }

  /** The first slot in which something may have happened. */
  get first(): number | undefined {
    return this.#counts[0];
  }

  get last(): number | undefined {
    return this.#counts.at(-3);
  }

  /** The most that may have happened in each slot, in order of time. */
  *entries(): Generator<readonly [slot: number, most: number]> {
    for (let at = 0; at < this.#counts.length; at += 3) yield [this.#counts[at]!, this.#counts[at + 2]!];
  }

  /** Makes all counts uncertain. */
  doubt(): void {
    for (let at = 1; at < this.#counts.length; at += 3) this.#counts[at] = 0;
  }

  clear(): void {
    this.#counts.length = 0;
  }
}

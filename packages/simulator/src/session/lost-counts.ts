import type { Bounds } from './slot-counts.ts';

/** Independent hash positions of each key. */
const ROWS = 2;
const FULL = 0xffff;
const SEEDS = [0x811c9dc5, 0x9e3779b9] as const;

/**
 * Bounds the counts of keys that are no longer kept separately, in constant memory. Keys share counters, so that a result is at least the true
 * count. Whole windows are dropped, at the earliest when the last of their counts has expired.
 */
export class LostCounts {
  readonly #windowSlots: number;
  readonly #places: number;
  /** For the window of the latest loss, and the one before it. */
  #tables: readonly Table[] = [];

  /** @param keys expected number of lost keys at a time */
  constructor(windowSlots: number, keys: number) {
    this.#windowSlots = windowSlots;
    this.#places = 2 ** Math.ceil(Math.log2(Math.max(keys, 256) * 4));
  }

  /** @param counted the counts of a key by slot */
  add(key: string, counted: Iterable<readonly [slot: number, most: Bounds['most']]>): void {
    for (const [slot, most] of counted) {
      const table = this.#tableOf(Math.floor(slot / this.#windowSlots));
      table.lastSlot = Math.max(table.lastSlot, slot);
      for (let row = 0; row < ROWS; row++) {
        const place = row * this.#places + this.#cellOf(key, row);
        table.counts[place] = Math.min(FULL, table.counts[place]! + most);
      }
    }
  }

  /** Returns the most that a key may have lost and that still counts at a slot; slots must not decrease. */
  most(key: string, slot: number): number {
    if (this.#tables.length === 0) return 0;
    this.#tables = this.#tables.filter(({ lastSlot }) => lastSlot > slot - this.#windowSlots);
    let sum = 0;
    for (const { counts } of this.#tables) {
      let least = FULL;
      for (let row = 0; row < ROWS; row++)
        least = Math.min(least, counts[row * this.#places + this.#cellOf(key, row)]!);
      sum += least === FULL ? Number.POSITIVE_INFINITY : least;
    }
    return sum;
  }

  #tableOf(window: number): Table {
    const known = this.#tables.find(table => table.window === window);
    if (known !== undefined) return known;
    const table: Table = {
      window,
      lastSlot: Number.NEGATIVE_INFINITY,
      counts: new Uint16Array(ROWS * this.#places),
    };
    this.#tables = [...this.#tables, table];
    return table;
  }

  /** FNV-1a with a different start for each row. */
  #cellOf(key: string, row: number): number {
    let hash: number = SEEDS[row]!;
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
    return (hash ^ (hash >>> 15)) & (this.#places - 1);
  }
}

interface Table {
  readonly window: number;
  lastSlot: number;
  readonly counts: Uint16Array;
}

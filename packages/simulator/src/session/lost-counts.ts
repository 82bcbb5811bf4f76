import type { Bounds } from './slot-counts.ts';

/** Independent places of each key in a table. */
const ROWS = 2;
const FULL = 0xffff;
const SEEDS = [0x811c9dc5, 0x9e3779b9] as const;

/**
 * Bounds what was counted of keys that are not kept apart any more, in constant memory: a key shares its places with others, so that what is
 * read is at least what it had. Things are forgotten by whole windows, at the earliest when the last of them is out.
 */
export class LostCounts {
  readonly #windowSlots: number;
  readonly #places: number;
  /** Of the window in which something was lost last, and of the one before it. */
  #tables: readonly Table[] = [];

  /** @param keys that are lost at a time without sharing much */
  constructor(windowSlots: number, keys: number) {
    this.#windowSlots = windowSlots;
    this.#places = 2 ** Math.ceil(Math.log2(Math.max(keys, 256) * 4));
  }

  /** @param counted by slot, as a key had it */
  add(key: string, counted: Iterable<readonly [slot: number, most: Bounds['most']]>): void {
    for (const [slot, most] of counted) {
      const table = this.#tableOf(Math.floor(slot / this.#windowSlots));
      table.lastSlot = Math.max(table.lastSlot, slot);
      for (let row = 0; row < ROWS; row++) {
        const place = row * this.#places + this.#placeOf(key, row);
        table.counts[place] = Math.min(FULL, table.counts[place]! + most);
      }
    }
  }

  /** The most that a key may have lost that still counts at a slot; none earlier than one before. */
  most(key: string, slot: number): number {
    if (this.#tables.length === 0) return 0;
    this.#tables = this.#tables.filter(({ lastSlot }) => lastSlot > slot - this.#windowSlots);
    let sum = 0;
    for (const { counts } of this.#tables) {
      let least = FULL;
      for (let row = 0; row < ROWS; row++)
        least = Math.min(least, counts[row * this.#places + this.#placeOf(key, row)]!);
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

  /** FNV-1a with another beginning for each row. */
  #placeOf(key: string, row: number): number {
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

import type { KeyDimension, KeySummary } from '../summary/breakdown.ts';
import type { Counted } from './counted.ts';
import { KEYS } from './key-dimensions.ts';
import { KeyTable } from './key-table.ts';

/** The number of keys that are kept: about 20 MB of clients and paths. */
const MAX_KEYS = 200_000;
/** The number of counts that there is room for: 32 MB. */
const MAX_CELLS = 4_000_000;
/** The least number of keys that each rule keeps when some are dropped. */
const LEAST_KEPT = 16;

const DIMENSIONS = Object.keys(KEYS) as readonly KeyDimension[];

/** Counts clients, paths and countries by matching rule, and by outcome, which are numbered after the rules. */
export class KeyBreakdown {
  readonly #tables: readonly KeyTable[];
  readonly #maxKeys: number;

  constructor(ruleCount: number, maxKeys = MAX_KEYS) {
    this.#tables = DIMENSIONS.map(() => new KeyTable(ruleCount));
    this.#maxKeys = maxKeys;
  }

  /** @param rules those that matched the exchange */
  add(counted: Counted, rules: readonly number[]): void {
    let hasGrown = false;
    for (let dimension = 0; dimension < DIMENSIONS.length; dimension++) {
      const key = counted.keyOf(DIMENSIONS[dimension]!);
      const table = this.#tables[dimension]!;
      if (key === undefined) table.addUnknown(rules);
      else if (table.add(key, rules)) hasGrown = true;
    }
    if (hasGrown) this.#foldIfFull();
  }

  /** Makes room for more rules. */
  grow(ruleCount: number): void {
    for (const table of this.#tables) table.grow(ruleCount);
  }

  /** One entry per rule. */
  summaries(top: number): { readonly [dimension in KeyDimension]: KeySummary }[] {
    const [clients, paths, countries] = this.#tables.map(table => table.summaries(top));
    return clients!.map((one, rule) => ({ clients: one, paths: paths![rule]!, countries: countries![rule]! }));
  }

  #foldIfFull(): void {
    let [keys, cells] = [0, 0];
    for (const table of this.#tables) {
      keys += table.size;
      cells += table.cells;
    }
    if (keys <= this.#maxKeys && cells <= MAX_CELLS) return;
    const active = Math.max(...this.#tables.map(table => table.active));
    const capacity = Math.max(LEAST_KEPT, Math.floor(this.#maxKeys / (active * DIMENSIONS.length)));
    for (const table of this.#tables) table.fold(capacity);
  }
}

import type { KeyDimension, KeySummary } from '../summary/breakdown.ts';
import type { Counted } from './counted.ts';
import { KEYS } from './key-dimensions.ts';
import { KeyTable, type KeyTableData } from './key-table.ts';

/** The counts of a {@link KeyBreakdown} as plain data. */
export interface KeyBreakdownData {
  /** By dimension. */
  readonly tables: readonly KeyTableData[];
  /** Positions of the rules in each set that keys were counted with. */
  readonly sets: readonly (readonly number[])[];
}

/** The number of keys that are kept, each with a set of rules: about 10 MB of clients and paths. */
const MAX_KEYS = 50_000;
/** The number of rule sets that are distinguished at a time. */
const MAX_SETS = 50_000;
/** The least number of keys that each rule keeps when some are dropped. */
const LEAST_KEPT = 16;

const DIMENSIONS = Object.keys(KEYS) as readonly KeyDimension[];

/** Counts clients, paths and countries by matching rule, and by outcome, which are numbered after the rules. */
export class KeyBreakdown {
  readonly #tables: readonly KeyTable[];
  readonly #maxKeys: number;
  #keyCount = 0;
  readonly #sets: (readonly number[])[] = [];
  readonly #setNumbers = new Map<string, number>();
  readonly #rulesOf = (set: number) => this.#sets[set]!;

  constructor(ruleCount: number, maxKeys = MAX_KEYS) {
    this.#tables = DIMENSIONS.map(() => new KeyTable(ruleCount));
    this.#maxKeys = maxKeys;
  }

  /** Returns the id of a set of rules, for {@link add}. */
  setOf(rules: readonly number[]): number {
    const key = rules.join();
    const known = this.#setNumbers.get(key);
    if (known !== undefined) return known;
    this.#setNumbers.set(key, this.#sets.length);
    return this.#sets.push(rules) - 1;
  }

  /** Whether there are too many sets, so that {@link startAnew} is due. */
  get isFull(): boolean {
    return this.#sets.length >= MAX_SETS;
  }

  /** Forgets all sets; their ids become invalid. */
  startAnew(): void {
    this.#fold();
    this.#sets.length = 0;
    this.#setNumbers.clear();
  }

  /** @param set id of the set of rules that matched the exchange; not empty */
  add(counted: Counted, set: number): void {
    for (let dimension = 0; dimension < DIMENSIONS.length; dimension++) {
      const key = counted.keyOf(DIMENSIONS[dimension]!);
      const table = this.#tables[dimension]!;
      if (key === undefined) table.addUnknown(this.#sets[set]!);
      else if (table.add(key, set)) this.#keyCount++;
    }
    if (this.#keyCount > this.#maxKeys) this.#fold();
  }

  /** Makes room for more rules. */
  grow(ruleCount: number): void {
    for (const table of this.#tables) table.grow(ruleCount);
  }

  /** @param ruleOf returns the number here of a rule of the data */
  merge({ tables, sets }: KeyBreakdownData, ruleOf: (rule: number) => number): void {
    const numbers = sets.map(rules => this.setOf(rules.map(ruleOf)));
    const renumbering = { setOf: (set: number) => numbers[set]!, ruleOf };
    tables.forEach((table, dimension) => {
      this.#keyCount += this.#tables[dimension]!.merge(table, renumbering);
    });
    if (this.#keyCount > this.#maxKeys) this.#fold();
  }

  data(): KeyBreakdownData {
    return { tables: this.#tables.map(table => table.data()), sets: this.#sets };
  }

  /** One entry per rule. */
  summaries(top: number): { readonly [dimension in KeyDimension]: KeySummary }[] {
    const [clients, paths, countries] = this.#tables.map(table => table.summaries(this.#rulesOf, top));
    return clients!.map((one, rule) => ({ clients: one, paths: paths![rule]!, countries: countries![rule]! }));
  }

  #fold(): void {
    const active = new Set(this.#sets.flat()).size;
    const capacity = Math.max(LEAST_KEPT, Math.floor(this.#maxKeys / (active * DIMENSIONS.length)));
    for (const table of this.#tables) table.fold(this.#rulesOf, capacity);
    this.#keyCount = 0;
  }
}

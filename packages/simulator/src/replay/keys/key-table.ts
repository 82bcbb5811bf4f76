import { excessOf, FrequentKeys, type FrequentKeysData, shortKey, topKeys } from '../counting/frequent-keys.ts';
import { KeyIds } from '../counting/key-ids.ts';
import type { KeySummary } from '../summary/breakdown.ts';

const NONE = new Float64Array(0);
const FIRST_CAPACITY = 256;

/** Counts the keys of one dimension for each rule. */
export class KeyTable {
  readonly #ids = new KeyIds();
  /** By rule, then by the id of the key; as long as the rule needs. */
  readonly #counts: Float64Array[];
  readonly #earlier: (FrequentKeys | undefined)[];
  readonly #unknown: number[];
  #cells = 0;

  constructor(ruleCount: number) {
    this.#counts = Array.from({ length: ruleCount }, () => NONE);
    this.#earlier = Array.from({ length: ruleCount }, () => undefined);
    this.#unknown = Array.from({ length: ruleCount }, () => 0);
  }

  /** Makes room for more rules. */
  grow(ruleCount: number): void {
    while (this.#unknown.length < ruleCount) {
      this.#counts.push(NONE);
      this.#unknown.push(0);
      this.#earlier.push(undefined);
    }
  }

  /** The number of keys. */
  get size(): number {
    return this.#ids.size;
  }

  /** The number of counts that there is room for. */
  get cells(): number {
    return this.#cells;
  }

  /** The number of rules with keys. */
  get active(): number {
    return this.#counts.filter(({ length }, rule) => length > 0 || this.#earlier[rule] !== undefined).length;
  }

  /** Counts a key for these rules; returns true if that takes more memory. */
  add(key: string, rules: readonly number[]): boolean {
    const [size, cells] = [this.#ids.size, this.#cells];
    const id = this.#ids.idOf(shortKey(key));
    for (let at = 0; at < rules.length; at++) {
      const rule = rules[at]!;
      let counts = this.#counts[rule]!;
      if (id >= counts.length) counts = this.#enlarge(rule, id);
      counts[id]!++;
    }
    return id === size || this.#cells !== cells;
  }

  #enlarge(rule: number, id: number): Float64Array {
    const before = this.#counts[rule]!;
    const counts = new Float64Array(Math.max(FIRST_CAPACITY, 2 ** Math.ceil(Math.log2(id + 1))));
    counts.set(before);
    this.#cells += counts.length - before.length;
    this.#counts[rule] = counts;
    return counts;
  }

  addUnknown(rules: readonly number[]): void {
    for (const rule of rules) this.#unknown[rule]!++;
  }

  /** Keeps `capacity` keys of each rule; keys that would be dropped are never stored. */
  fold(capacity: number): void {
    const texts = this.#texts();
    const textOf = (id: number) => texts[id]!;
    for (const [rule, counts] of this.#counts.entries()) {
      const excess = excessOf(
        counts.filter(count => count > 0),
        capacity,
      );
      this.#mergeEarlier(rule, { counts, textOf }, excess);
      this.#earlier[rule]?.keep(capacity);
      this.#counts[rule] = NONE;
    }
    this.#ids.clear();
    this.#cells = 0;
  }

  #mergeEarlier(rule: number, counted: CountedKeys, excess: number): void {
    const { keys, counts } = keysAbove(excess, counted);
    if (keys.length > 0 || excess > 0) this.#earlierOf(rule).merge({ keys, counts, missing: excess });
  }

  /** By id. Many rules share a key, so each string is created once. */
  #texts(): readonly string[] {
    return Array.from({ length: this.size }, (_, id) => this.#ids.textOf(id));
  }

  /** One entry per rule. */
  summaries(top: number): KeySummary[] {
    const texts = new Array<string | undefined>(this.size).fill(undefined);
    const textOf = (id: number) => {
      texts[id] ??= this.#ids.textOf(id);
      return texts[id];
    };
    return this.#unknown.map((unknown, rule) => {
      const counts = this.#counts[rule]!;
      const earlier = this.#earlier[rule];
      if (earlier === undefined) {
        let distinct = 0;
        for (const count of counts) if (count > 0) distinct++;
        return { top: topKeys(counts, textOf, top), distinct, unknown };
      }
      const keys = new FrequentKeys();
      keys.merge(earlier.data());
      keys.merge({ ...keysAbove(0, { counts, textOf }), missing: 0 });
      return { top: keys.top(top), distinct: keys.distinct, unknown };
    });
  }

  #earlierOf(rule: number): FrequentKeys {
    const keys = this.#earlier[rule] ?? new FrequentKeys();
    this.#earlier[rule] = keys;
    return keys;
  }
}

/** The counts of one rule, and the keys, by id. */
interface CountedKeys {
  readonly counts: Float64Array;
  readonly textOf: (id: number) => string;
}

/** Returns the keys with larger counts, and by how much they are larger. */
function keysAbove(excess: number, { counts, textOf }: CountedKeys): Pick<FrequentKeysData, 'keys' | 'counts'> {
  const [keys, above]: [string[], number[]] = [[], []];
  for (let id = 0; id < counts.length; id++) {
    if (counts[id]! <= excess) continue;
    keys.push(textOf(id));
    above.push(counts[id]! - excess);
  }
  return { keys, counts: above };
}

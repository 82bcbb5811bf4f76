import { excessOf, FrequentKeys, type FrequentKeysData, shortKey } from '../counting/frequent-keys.ts';
import { KeyCounts } from '../counting/key-counts.ts';
import type { KeySummary } from '../summary/breakdown.ts';

/** The counts of a {@link KeyTable} as plain data: columns, which take less memory to transfer than rows. */
export interface KeyTableData {
  /** A key appears once for each set of rules that matched it. */
  readonly keys: readonly string[];
  /** The id of the set. */
  readonly sets: readonly number[];
  readonly counts: readonly number[];
  /** By rule: counts from before rare keys were dropped; undefined if there are none. */
  readonly earlier: readonly (FrequentKeysData | undefined)[];
  /** By rule: matches whose key is unknown. */
  readonly unknown: readonly number[];
}

/** Returns the positions of the rules in a set. */
type RulesOf = (set: number) => readonly number[];

/** The numbers here of sets and rules from elsewhere. */
export interface Renumbering {
  readonly setOf: (set: number) => number;
  readonly ruleOf: (rule: number) => number;
}

/** The keys of one rule and their counts. */
interface RuleKeys {
  readonly keys: string[];
  readonly counts: number[];
}

const NO_KEYS: RuleKeys = { keys: [], counts: [] };

function pushKey({ keys, counts }: RuleKeys, key: string, count: number): void {
  keys.push(key);
  counts.push(count);
}

/**
 * Counts the keys of one dimension for all rules. Many exchanges share the set of rules that matched, so counting takes one look-up however
 * many rules matched; counts are assigned to rules at the end.
 */
export class KeyTable {
  readonly #counts = new KeyCounts();
  readonly #earlier: (FrequentKeys | undefined)[];
  readonly #unknown: number[];

  constructor(ruleCount: number) {
    this.#earlier = Array.from({ length: ruleCount }, () => undefined);
    this.#unknown = Array.from({ length: ruleCount }, () => 0);
  }

  /** Makes room for more rules. */
  grow(ruleCount: number): void {
    while (this.#unknown.length < ruleCount) {
      this.#unknown.push(0);
      this.#earlier.push(undefined);
    }
  }

  /** Returns true if the key is new with this set. */
  add(key: string, set: number, times = 1): boolean {
    return this.#counts.add(shortKey(key), set, times);
  }

  addUnknown(rules: readonly number[]): void {
    for (const rule of rules) this.#unknown[rule]!++;
  }

  /** Assigns the counts to the rules and keeps `capacity` keys of each; keys that would be dropped are never stored. */
  fold(rulesOf: RulesOf, capacity: number): void {
    const counts = new Map<number, number[]>();
    this.#spread(rulesOf, (rule, _, count) => {
      const known = counts.get(rule);
      if (known === undefined) counts.set(rule, [count]);
      else known.push(count);
    });
    const excesses = new Map(Array.from(counts, ([rule, all]) => [rule, excessOf(all, capacity)]));
    const kept = new Map(Array.from(excesses, ([rule]): [number, RuleKeys] => [rule, { keys: [], counts: [] }]));
    this.#spread(rulesOf, (rule, entry, count) => {
      const excess = excesses.get(rule)!;
      if (count > excess) pushKey(kept.get(rule)!, this.#counts.textOf(entry), count - excess);
    });
    for (const [rule, missing] of excesses) {
      const keys = this.#earlierOf(rule);
      keys.merge({ ...kept.get(rule)!, missing });
      keys.keep(capacity);
    }
    this.#counts.clear();
  }

  /** Adds counts from elsewhere, where sets and rules have other numbers; returns the number of new keys. */
  merge({ keys, sets, counts, earlier, unknown }: KeyTableData, { setOf, ruleOf }: Renumbering): number {
    earlier.forEach((data, rule) => {
      if (data) this.#earlierOf(ruleOf(rule)).merge(data);
    });
    unknown.forEach((count, rule) => {
      this.#unknown[ruleOf(rule)]! += count;
    });
    return keys.filter((key, index) => this.add(key, setOf(sets[index]!), counts[index])).length;
  }

  data(): KeyTableData {
    const [keys, sets, counts]: [string[], number[], number[]] = [[], [], []];
    this.#counts.each(first => {
      const key = this.#counts.textOf(first);
      for (let entry = first; entry >= 0; entry = this.#counts.nextOf(entry)) {
        keys.push(key);
        sets.push(this.#counts.setOf(entry));
        counts.push(this.#counts.countOf(entry));
      }
    });
    return { keys, sets, counts, earlier: this.#earlier.map(one => one?.data()), unknown: this.#unknown };
  }

  /** One entry per rule. */
  summaries(rulesOf: RulesOf, top: number): KeySummary[] {
    const counted = this.#byRule(rulesOf);
    return this.#unknown.map((unknown, rule) => {
      const keys = new FrequentKeys();
      const earlier = this.#earlier[rule];
      if (earlier) keys.merge(earlier.data());
      keys.merge({ ...(counted.get(rule) ?? NO_KEYS), missing: 0 });
      return { top: keys.top(top), distinct: keys.distinct, unknown };
    });
  }

  #earlierOf(rule: number): FrequentKeys {
    const keys = this.#earlier[rule] ?? new FrequentKeys();
    this.#earlier[rule] = keys;
    return keys;
  }

  #byRule(rulesOf: RulesOf): Map<number, RuleKeys> {
    const found = new Map<number, RuleKeys>();
    this.#spread(rulesOf, (rule, entry, count) => {
      const key = this.#counts.textOf(entry);
      const known = found.get(rule);
      if (known === undefined) found.set(rule, { keys: [key], counts: [count] });
      else pushKey(known, key, count);
    });
    return found;
  }

  /** Visits the first entry of every key for every rule, with its count. */
  #spread(rulesOf: RulesOf, visit: (rule: number, entry: number, count: number) => void): void {
    const all = this.#counts;
    all.each(first => {
      if (all.nextOf(first) < 0) {
        for (const rule of rulesOf(all.setOf(first))) visit(rule, first, all.countOf(first));
        return;
      }
      const sums = new Map<number, number>();
      for (let entry = first; entry >= 0; entry = all.nextOf(entry))
        for (const rule of rulesOf(all.setOf(entry))) sums.set(rule, (sums.get(rule) ?? 0) + all.countOf(entry));
      for (const [rule, sum] of sums) visit(rule, first, sum);
    });
  }
}

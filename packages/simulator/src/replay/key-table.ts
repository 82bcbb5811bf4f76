import type { KeySummary } from './breakdown.ts';
import { excessOf, FrequentKeys, type FrequentKeysData, ownText, shortKey } from './frequent-keys.ts';

/** What a {@link KeyTable} has counted, as plain data. */
export interface KeyTableData {
  /** The number of the set of rules that matched, for each key and how often. */
  readonly counts: readonly (readonly [key: string, set: number, count: number])[];
  /** By rule: what was counted before rare keys were dropped; undefined where nothing was. */
  readonly earlier: readonly (FrequentKeysData | undefined)[];
  /** By rule: matches of which the key is not known. */
  readonly unknown: readonly number[];
}

/** Positions of the rules of a set, by its number. */
export type RulesOf = (set: number) => readonly number[];

/** How often a key came with each set of rules that matched. Most keys come with one. */
interface Entry {
  readonly set: number;
  count: number;
  others: Map<number, number> | undefined;
}

/**
 * Counts the keys of one dimension for all rules. What matched an exchange is a set of rules that many exchanges share, so that
 * counting takes one look-up, however many rules matched; it is spread over the rules at the end.
 */
export class KeyTable {
  readonly #entries = new Map<string, Entry>();
  readonly #earlier: (FrequentKeys | undefined)[];
  readonly #unknown: number[];

  constructor(ruleCount: number) {
    this.#earlier = Array.from({ length: ruleCount }, () => undefined);
    this.#unknown = Array.from({ length: ruleCount }, () => 0);
  }

  /** Gives whether the key is new with this set. */
  add(key: string, set: number, times = 1): boolean {
    const short = shortKey(key);
    const entry = this.#entries.get(short);
    if (entry === undefined) {
      this.#entries.set(ownText(short), { set, count: times, others: undefined });
      return true;
    }
    if (entry.set === set) {
      entry.count += times;
      return false;
    }
    entry.others ??= new Map();
    const known = entry.others.get(set);
    entry.others.set(set, (known ?? 0) + times);
    return known === undefined;
  }

  addUnknown(rules: readonly number[]): void {
    for (const rule of rules) this.#unknown[rule]!++;
  }

  /** Spreads what was counted over the rules, and keeps so many keys of each: those that would be dropped anyway are never held. */
  fold(rulesOf: RulesOf, capacity: number): void {
    const counts = new Map<number, number[]>();
    this.#spread(rulesOf, (rule, _, count) => {
      const known = counts.get(rule);
      if (known === undefined) counts.set(rule, [count]);
      else known.push(count);
    });
    const excesses = new Map(Array.from(counts, ([rule, all]) => [rule, excessOf(all, capacity)]));
    const kept = new Map(Array.from(excesses, ([rule]): [number, [string, number][]] => [rule, []]));
    this.#spread(rulesOf, (rule, key, count) => {
      const excess = excesses.get(rule)!;
      if (count > excess) kept.get(rule)!.push([key, count - excess]);
    });
    for (const [rule, missing] of excesses) {
      const keys = this.#earlierOf(rule);
      keys.merge({ counts: kept.get(rule)!, missing });
      keys.keep(capacity);
    }
    this.#entries.clear();
  }

  /** Adds what was counted elsewhere; gives how many keys are new. */
  merge({ counts, earlier, unknown }: KeyTableData, setOf: (set: number) => number): number {
    earlier.forEach((data, rule) => {
      if (data) this.#earlierOf(rule).merge(data);
    });
    unknown.forEach((count, rule) => {
      this.#unknown[rule]! += count;
    });
    return counts.filter(([key, set, count]) => this.add(key, setOf(set), count)).length;
  }

  data(): KeyTableData {
    const counts = Array.from(this.#entries).flatMap(([key, { set, count, others = [] }]) => [
      [key, set, count] as const,
      ...Array.from(others, ([other, times]) => [key, other, times] as const),
    ]);
    return { counts, earlier: this.#earlier.map(keys => keys?.data()), unknown: this.#unknown };
  }

  /** For each rule. */
  summaries(rulesOf: RulesOf, top: number): KeySummary[] {
    const counted = this.#byRule(rulesOf);
    return this.#unknown.map((unknown, rule) => {
      const keys = new FrequentKeys();
      const earlier = this.#earlier[rule];
      if (earlier) keys.merge(earlier.data());
      keys.merge({ counts: counted.get(rule) ?? [], missing: 0 });
      return { top: keys.top(top), distinct: keys.distinct, unknown };
    });
  }

  #earlierOf(rule: number): FrequentKeys {
    const keys = this.#earlier[rule] ?? new FrequentKeys();
    this.#earlier[rule] = keys;
    return keys;
  }

  #byRule(rulesOf: RulesOf): Map<number, [key: string, count: number][]> {
    const found = new Map<number, [string, number][]>();
    this.#spread(rulesOf, (rule, key, count) => {
      const counts = found.get(rule);
      if (counts === undefined) found.set(rule, [[key, count]]);
      else counts.push([key, count]);
    });
    return found;
  }

  /** Gives every key of every rule with its count. */
  #spread(rulesOf: RulesOf, visit: (rule: number, key: string, count: number) => void): void {
    for (const [key, { set, count, others }] of this.#entries) {
      if (others === undefined) {
        for (const rule of rulesOf(set)) visit(rule, key, count);
        continue;
      }
      const sums = new Map<number, number>();
      for (const [one, times] of [[set, count] as const, ...others])
        for (const rule of rulesOf(one)) sums.set(rule, (sums.get(rule) ?? 0) + times);
      for (const [rule, sum] of sums) visit(rule, key, sum);
    }
  }
}

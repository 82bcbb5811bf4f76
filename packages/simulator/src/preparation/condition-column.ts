import type { Conditions, NonValue, TypedAst } from '@tollgate/cel';
import type { TrafficState } from '../state/traffic-state.ts';
import type { BuildActivation } from '../values/build-activation.ts';
import { nonValueText } from './non-value-text.ts';

/** How the shares of all rules in one part of the traffic come out. Rules without a share there are as if theirs held. */
export interface ShareResults {
  /** The same for the same results; from 0, of each column. */
  readonly number: number;
  /** What leaves shares open is what it usually is. */
  readonly isUsual: boolean;
  /** A bit for each rule: its share holds, or is open; its share holds. */
  readonly notFalse: Int32Array;
  readonly isTrue: Int32Array;
}

/** The shares of rules in one part of the traffic, ready to run. */
export interface PreparedShares {
  /** Positions of the rules in their phase. */
  readonly rules: readonly number[];
  readonly conditions: Conditions;
  readonly build: BuildActivation;
  /** What of the condition of each rule it is. */
  readonly shares: ReadonlyMap<number, readonly TypedAst[]>;
  /** These and others of the same phase, to be run together. */
  readonly joinedWith: (others: readonly PreparedShares['shares'][]) => PreparedShares;
}

/** Results that are kept: texts of errors may hold what clients send. */
const MOST_KNOWN = 10_000;
const FEW = 30;

/** Evaluates the shares of rules in one part of the traffic. */
export class ConditionColumn {
  readonly #shares: PreparedShares;
  /** Of the phase's first rule, among the rules of all phases. */
  readonly #first: number;
  readonly #words: number;
  readonly #results: (boolean | NonValue)[];
  /** By what came out. */
  readonly #known = new Map<string | number, ShareResults>();
  #count = 0;
  /** By share: what it is open by at first. */
  readonly #usual: (string | undefined)[];

  /** @param words of 32 bits for all rules */
  constructor(shares: PreparedShares, first: number, words: number) {
    this.#shares = shares;
    this.#first = first;
    this.#words = words;
    this.#results = shares.rules.map(() => false);
    this.#usual = shares.rules.map(() => undefined);
  }

  /** It and others, of the same part of the traffic: those of a phase as one. */
  static joined(columns: readonly ConditionColumn[]): readonly ConditionColumn[] {
    const phases = Map.groupBy(columns, column => column.#first);
    return [...phases].map(([first, [one, ...others]]) => {
      if (others.length === 0) return one!;
      const shares = one!.#shares.joinedWith(others.map(column => column.#shares.shares));
      return new ConditionColumn(shares, first, one!.#words);
    });
  }

  /** Positions of the rules that have a share, among the rules of all phases. */
  get rules(): readonly number[] {
    return this.#shares.rules.map(rule => this.#first + rule);
  }

  evaluate(state: TrafficState): ShareResults {
    const { conditions, build } = this.#shares;
    conditions.evaluateAll(build(state), this.#results);
    const key = this.#bits() ?? this.#text();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const results = this.#gather();
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, results);
    return results;
  }

  /** A bit for each share, where there are few and none is open. A text takes many times as long. */
  #bits(): number | undefined {
    if (this.#results.length > FEW) return undefined;
    let bits = 0;
    for (let share = 0; share < this.#results.length; share++) {
      const result = this.#results[share];
      if (result === true) bits = 2 * bits + 1;
      else if (result === false) bits = 2 * bits;
      else return undefined;
    }
    return bits;
  }

  #text(): string {
    let text = '';
    for (const result of this.#results)
      text += result === true ? 't' : result === false ? 'f' : `(${nonValueText(result)})`;
    return text;
  }

  #gather(): ShareResults {
    const notFalse = new Int32Array(this.#words).fill(-1);
    const isTrue = new Int32Array(this.#words).fill(-1);
    let isUsual = true;
    for (const [share, result] of this.#results.entries()) {
      if (result === true) continue;
      const rule = this.#first + this.#shares.rules[share]!;
      const [word, bit] = [rule >> 5, 1 << (rule & 31)];
      isTrue[word]! &= ~bit;
      if (result === false) notFalse[word]! &= ~bit;
      else isUsual = this.#isUsual(share, result) && isUsual;
    }
    return { number: this.#count++, isUsual, notFalse, isTrue };
  }

  #isUsual(share: number, result: NonValue): boolean {
    const text = nonValueText(result);
    this.#usual[share] ??= text;
    return this.#usual[share] === text;
  }
}

import type { Exchange, ExchangeRows } from '@tollgate/traffic';
import { KeptByTexts } from '@tollgate/traffic';
import type { ConditionColumn, ShareResults } from './condition-column.ts';
import { NumberRows } from './number-rows.ts';
import type { TrafficState } from './traffic-state.ts';
import type { Verdict } from './verdict.ts';

// HOT: every exchange of JSON lines goes through here.

/** Ways for shares to come out that are kept at a time. */
const MOST_WAYS = 65_536;

/** What a {@link RowJudge} judges with. */
export interface RowJudging {
  readonly columns: readonly ConditionColumn[];
  readonly ruleCount: number;
  /** By rule: where it matches, later ones do not count, or it takes more to judge than how conditions come out. */
  readonly cuts: readonly boolean[];
  readonly stateOf: (exchange: Exchange) => TrafficState;
  /** Judges by the exchange itself. */
  readonly judge: (exchange: Exchange) => Verdict;
}

/**
 * Gives verdicts on rows. What rules ask of each part of the traffic is answered once for each text that stands there; the answers are bits, and the bits of
 * all parts together tell which rules match. The verdict on those is kept.
 */
export class RowJudge {
  readonly #judging: RowJudging;
  readonly #kept: readonly KeptByTexts<ShareResults>[];
  readonly #words: number;
  /** A bit for each rule that has shares in several columns. */
  readonly #divided: Int32Array;
  readonly #cuts: Int32Array;
  /** The bits of an exchange: those of rules that are not false, and those of rules that are true. */
  readonly #bits: Int32Array;
  readonly #waysByBits: NumberRows;
  readonly #verdictsByBits: (Verdict | undefined)[] = [];
  /** The numbers of the results in all columns. */
  readonly #numbers: Int32Array;
  readonly #waysByNumbers: NumberRows;
  readonly #verdictsByNumbers: (Verdict | undefined)[] = [];
  #exchange: Exchange | undefined;
  #state: TrafficState | undefined;

  constructor(judging: RowJudging) {
    const { columns, ruleCount, cuts } = judging;
    this.#judging = judging;
    this.#kept = columns.map(column => new KeptByTexts(exchange => column.evaluate(this.#stateOf(exchange))));
    this.#words = (ruleCount + 31) >> 5;
    this.#bits = new Int32Array(2 * this.#words);
    this.#numbers = new Int32Array(columns.length);
    this.#waysByBits = new NumberRows(this.#bits.length, MOST_WAYS);
    this.#waysByNumbers = new NumberRows(columns.length, MOST_WAYS);
    const shares = columns.flatMap(({ rules }) => rules);
    const counts = cuts.map((_, rule) => shares.filter(one => one === rule).length);
    this.#divided = this.#bitsOf(counts.map(count => count > 1));
    this.#cuts = this.#bitsOf(cuts);
  }

  judge(rows: ExchangeRows, index: number): Verdict {
    const isUsual = this.#gather(rows, index);
    this.#cut();
    const byBits = isUsual && !this.#isDividedOpen();
    const ways = byBits ? this.#waysByBits : this.#waysByNumbers;
    const verdicts = byBits ? this.#verdictsByBits : this.#verdictsByNumbers;
    if (ways.isFull) {
      ways.clear();
      verdicts.length = 0;
    }
    const way = ways.numberOf(byBits ? this.#bits : this.#numbers);
    const known = verdicts[way];
    if (known !== undefined) return known;
    const verdict = this.#judging.judge(rows.exchangeAt(index));
    while (verdicts.length <= way) verdicts.push(undefined);
    // One without a number hangs on more than how conditions come out.
    if (verdict.number !== undefined) verdicts[way] = verdict;
    return verdict;
  }

  #gather(rows: ExchangeRows, index: number): boolean {
    const words = this.#words;
    const bits = this.#bits;
    const kept = this.#kept;
    let isUsual = true;
    bits.fill(-1);
    for (let column = 0; column < kept.length; column++) {
      const results = kept[column]!.at(rows, index);
      this.#numbers[column] = results.number;
      isUsual &&= results.isUsual;
      for (let word = 0; word < words; word++) {
        bits[word]! &= results.notFalse[word]!;
        bits[words + word]! &= results.isTrue[word]!;
      }
    }
    return isUsual;
  }

  /** Clears the bits of rules behind one that matches and is the last to count. */
  #cut(): void {
    const words = this.#words;
    const bits = this.#bits;
    for (let word = 0; word < words; word++) {
      const ending = bits[words + word]! & this.#cuts[word]!;
      if (ending === 0) continue;
      const upTo = (ending & -ending) | ((ending & -ending) - 1);
      bits[word]! &= upTo;
      bits[words + word]! &= upTo;
      bits.fill(0, word + 1, words);
      bits.fill(0, words + word + 1);
      return;
    }
  }

  /** A rule is open of which it is not told by bits which of its shares are. */
  #isDividedOpen(): boolean {
    const words = this.#words;
    const bits = this.#bits;
    for (let word = 0; word < words; word++)
      if ((bits[word]! & ~bits[words + word]! & this.#divided[word]!) !== 0) return true;
    return false;
  }

  #stateOf(exchange: Exchange): TrafficState {
    if (exchange !== this.#exchange) {
      this.#exchange = exchange;
      this.#state = this.#judging.stateOf(exchange);
    }
    return this.#state!;
  }

  #bitsOf(rules: readonly boolean[]): Int32Array {
    const bits = new Int32Array(this.#words);
    for (const [rule, isSet] of rules.entries()) if (isSet) bits[rule >> 5]! |= 1 << (rule & 31);
    return bits;
  }
}

import type { Exchange, ExchangeRows } from '@tollgate/traffic';
import type { Verdict } from '../decision/verdict.ts';
import type { ColumnResults, ConditionColumn } from '../preparation/condition-column.ts';
import type { MovingState } from '../state/recorded-state.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import { ColumnGroup } from './column-group.ts';
import { NumberRows } from './number-rows.ts';

// HOT: every exchange of JSON lines goes through here.

/** Combinations of results whose verdicts are kept at a time. */
const MOST_COMBINATIONS = 65_536;
/** Rows after which it is known what each column reads. */
const TRIAL = 2048;

/** What a {@link RowJudge} judges with. */
export interface RowJudging {
  readonly columns: readonly ConditionColumn[];
  readonly ruleCount: number;
  /** By rule: true if later rules do not matter once it matches, or if conditions alone do not decide the verdict. */
  readonly cuts: readonly boolean[];
  readonly movingState: (exchange: Exchange) => MovingState;
  /** Judges by the exchange itself. */
  readonly judge: (exchange: Exchange) => Verdict;
}

/**
 * Returns verdicts on rows. The conjuncts that read an input run once for each string found there, and their results are bits; the bits of all
 * inputs together tell which rules match. The verdict for each combination is kept.
 */
export class RowJudge {
  readonly #judging: RowJudging;
  readonly #words: number;
  readonly #cuts: Int32Array;
  /** The bits of an exchange: those of rules that are not false, and those of rules that are true. */
  readonly #bits: Int32Array;
  #groups: readonly ColumnGroup[];
  /** By the number of the set of fields that rows have. */
  #plans: (SetPlan | undefined)[] = [];
  /** A bit for each rule that has conjuncts in several groups. */
  #divided: Int32Array;
  readonly #byBits: KeptVerdicts;
  /** By the numbers of the results in all groups. */
  #byNumbers: KeptVerdicts;
  #trial = TRIAL;
  #source: object | undefined;
  #exchange: Exchange | undefined;
  #moving: MovingState | undefined;
  #hasMoved = true;

  constructor(judging: RowJudging) {
    const { columns, ruleCount, cuts } = judging;
    this.#judging = judging;
    this.#words = (ruleCount + 31) >> 5;
    this.#cuts = this.#bitsOf(cuts);
    this.#bits = new Int32Array(2 * this.#words);
    this.#byBits = new KeptVerdicts(this.#bits.length);
    this.#groups = columns.map(column => this.#group([column]));
    this.#divided = this.#dividedRules();
    this.#byNumbers = new KeptVerdicts(this.#groups.length);
  }

  judge(rows: ExchangeRows, index: number): Verdict {
    // What is none of rows, or has fields of its own kind, is asked in one go.
    if (rows.fieldSetOf(index) < 0) return this.#judging.judge(rows.exchangeAt(index));
    if (this.#trial > 0 && --this.#trial === 0) this.#regroup();
    this.#hasMoved = true;
    const isUsual = this.#gather(rows, index);
    this.#cut();
    if (isUsual && !this.#isDividedOpen()) return this.#verdict(this.#byBits, this.#bits, rows, index);
    const numbers = this.#groups.map(({ kept }) => kept.at(rows, index).number);
    return this.#verdict(this.#byNumbers, Int32Array.from(numbers), rows, index);
  }

  #verdict(kept: KeptVerdicts, key: Int32Array, rows: ExchangeRows, index: number): Verdict {
    const way = kept.find(key);
    const known = kept.verdicts[way];
    if (known !== undefined) return known;
    const verdict = this.#judging.judge(rows.exchangeAt(index));
    // One without a number hangs on more than how conditions come out.
    if (verdict.number !== undefined) kept.verdicts[way] = verdict;
    return verdict;
  }

  /** Rules that ask for the same fields in different words are asked together. */
  #regroup(): void {
    this.#groups = ColumnGroup.byReads(this.#groups).map(columns => this.#group(columns));
    this.#plans = [];
    this.#divided = this.#dividedRules();
    this.#byBits.clear();
    this.#byNumbers = new KeptVerdicts(this.#groups.length);
  }

  #group(columns: readonly ConditionColumn[]): ColumnGroup {
    const stateOf = (exchange: Exchange) => this.#stateOf(exchange);
    return new ColumnGroup(columns, stateOf, () => {
      this.#plans = [];
    });
  }

  /** Sets the bits; gives whether what leaves rules open is what it usually is. */
  #gather(rows: ExchangeRows, index: number): boolean {
    if (rows.source !== this.#source) this.#begin(rows.source);
    const set = rows.fieldSetOf(index);
    const plan = this.#plans[set] ?? this.#plan(set, rows, index);
    const words = this.#words;
    const { numbers, numberStep } = rows;
    const bits = this.#bits;
    const start = rows.numbersOf(index);
    let { isUsual } = plan;
    for (let at = 0; at < bits.length; at++) bits[at] = plan.bits[at]!;
    for (let at = 0; at < plan.groups.length; at++) {
      const field = plan.fields[at]!;
      const number = field < 0 ? -1 : numbers[start + field * numberStep]!;
      const values = plan.values[at]!;
      const results = (number > 0 ? values[number] : undefined) ?? plan.groups[at]!.kept.at(rows, index);
      isUsual &&= results.isUsual;
      for (let word = 0; word < words; word++) {
        bits[word]! &= results.notFalse[word]!;
        bits[words + word]! &= results.isTrue[word]!;
      }
    }
    return isUsual;
  }

  /** Sets of fields are numbered anew for each file. */
  #begin(source: object): void {
    this.#source = source;
    this.#plans = [];
  }

  #plan(set: number, rows: ExchangeRows, index: number): SetPlan {
    const plan: SetPlan = {
      bits: new Int32Array(this.#bits.length).fill(-1),
      isUsual: true,
      groups: [],
      fields: [],
      values: [],
    };
    // Being asked once, those that give the same in all rows are known.
    for (const { kept } of this.#groups) kept.at(rows, index);
    const before = this.#plans;
    for (const group of this.#groups) {
      const lookup = group.kept.lookupFor(rows, index);
      const constant = lookup?.field === -1 ? lookup.values[0] : undefined;
      if (constant !== undefined) addConstant(plan, constant);
      else {
        plan.groups.push(group);
        plan.fields.push(lookup?.field ?? -1);
        plan.values.push(lookup?.values ?? []);
      }
    }
    if (before === this.#plans) this.#plans[set] = plan;
    return plan;
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

  /** Returns true if a rule is undetermined and the bits do not say which of its conjuncts are. */
  #isDividedOpen(): boolean {
    const words = this.#words;
    const bits = this.#bits;
    for (let word = 0; word < words; word++)
      if ((bits[word]! & ~bits[words + word]! & this.#divided[word]!) !== 0) return true;
    return false;
  }

  /** What is looked up of an exchange is kept while its row is judged. */
  #stateOf(exchange: Exchange): TrafficState {
    if (exchange !== this.#exchange) {
      this.#exchange = exchange;
      this.#moving = this.#judging.movingState(exchange);
    } else if (this.#hasMoved) this.#moving!.forget();
    this.#hasMoved = false;
    return this.#moving!.state;
  }

  #dividedRules(): Int32Array {
    const counts = new Array(this.#judging.ruleCount).fill(0);
    for (const { columns } of this.#groups)
      for (const rule of new Set(columns.flatMap(({ rules }) => rules))) counts[rule]++;
    return this.#bitsOf(counts.map(count => count > 1));
  }

  #bitsOf(rules: readonly boolean[]): Int32Array {
    const bits = new Int32Array(this.#words);
    for (const [rule, isSet] of rules.entries()) if (isSet) bits[rule >> 5]! |= 1 << (rule & 31);
    return bits;
  }
}

/** Verdicts by rows of numbers. */
class KeptVerdicts {
  readonly verdicts: (Verdict | undefined)[] = [];
  readonly #combinations: NumberRows;

  constructor(width: number) {
    this.#combinations = new NumberRows(width, MOST_COMBINATIONS);
  }

  /** Where the verdict is kept, or is to be. */
  find(key: Int32Array): number {
    if (this.#combinations.isFull) this.clear();
    const way = this.#combinations.numberOf(key);
    if (way === this.verdicts.length) this.verdicts.push(undefined);
    return way;
  }

  clear(): void {
    this.#combinations.clear();
    this.verdicts.length = 0;
  }
}

/** What there is to do for rows with one set of fields. */
interface SetPlan {
  /** Of groups that give the same in all those rows, and whether it is the usual. */
  readonly bits: Int32Array;
  isUsual: boolean;
  /** The others, with the fields by whose numbers they are looked up, or -1, and what is known by them. */
  readonly groups: ColumnGroup[];
  readonly fields: number[];
  readonly values: (readonly (ColumnResults | undefined)[])[];
}

function addConstant(plan: SetPlan, { isUsual, notFalse, isTrue }: ColumnResults): void {
  const words = notFalse.length;
  plan.isUsual &&= isUsual;
  for (let word = 0; word < words; word++) {
    plan.bits[word]! &= notFalse[word]!;
    plan.bits[words + word]! &= isTrue[word]!;
  }
}

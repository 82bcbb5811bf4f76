import type { Signal } from '../logic/graph.ts';
import { type CellValue, holdsFor, type TestMeaning } from '../theory/cell-values.ts';
import type { Cell, Vocabulary } from '../theory/vocabulary.ts';
import type { Sample } from './session.ts';
import { DIGITS, keyOfValue, keysOf, partOf, requiredTests, stringsOf } from './test-keys.ts';

/** Positions by strings that a value must begin with or contain. */
class StringTable {
  readonly #positions = new Map<string, number[]>();
  readonly #lengths = new Set<number>();

  add(key: string, at: number): void {
    this.#lengths.add(key.length);
    const known = this.#positions.get(key);
    if (known === undefined) this.#positions.set(key, [at]);
    else known.push(at);
  }

  *beginningsOf(text: string): Iterable<number> {
    for (const length of this.#lengths)
      if (length <= text.length) yield* this.#positions.get(text.slice(0, length)) ?? [];
  }

  *partsOf(text: string): Iterable<number> {
    for (const length of this.#lengths) {
      for (let end = length; end <= text.length; end++) yield* this.#positions.get(text.slice(end - length, end)) ?? [];
    }
  }
}

/** Formulas that need a test of the same cell to hold, by what it tests. */
class Group {
  readonly #strings = new StringTable();
  readonly #digits = new StringTable();
  readonly #parts = new StringTable();
  readonly #others: { readonly at: number; readonly test: TestMeaning }[] = [];
  #hasDigits = false;

  add(test: TestMeaning, at: number): void {
    const [strings, digits] = [keysOf(test, 'string'), keysOf(test, 'digits')];
    const part = strings === undefined && digits === undefined ? partOf(test) : undefined;
    for (const key of strings ?? []) this.#strings.add(key, at);
    for (const key of digits ?? []) this.#digits.add(key, at);
    this.#hasDigits ||= digits !== undefined;
    if (part !== undefined) this.#parts.add(part, at);
    else if (strings === undefined && digits === undefined) this.#others.push({ at, test });
  }

  /** Returns the positions whose test may hold for a value; those left out do not. */
  positionsFor(value: CellValue): ReadonlySet<number> {
    const found = new Set<number>();
    const addAll = (positions: Iterable<number>) => {
      for (const at of positions) found.add(at);
    };
    for (const text of stringsOf(value)) {
      addAll(this.#strings.beginningsOf(keyOfValue(text, 'string')));
      addAll(this.#parts.partsOf(text));
    }
    if (this.#hasDigits && (typeof value === 'bigint' || typeof value === 'string'))
      addAll(this.#digits.beginningsOf(keyOfValue(value, 'digits')));
    for (const { at, test } of this.#others) if (holdsFor(test, value)) found.add(at);
    return found;
  }
}

/**
 * Formulas in order, indexed by a test that each of them needs: the first one that holds is found without evaluating all. Values that
 * a question does not ask about are the same from one question to the next, and so are the results of tests of them.
 */
export class SignalList {
  readonly #signals: readonly Signal[];
  readonly #groups = new Map<Cell, Group>();
  /** Positions of formulas that need no single test. */
  readonly #unindexed: number[] = [];
  /** Cells whose ordinary value no question has had yet. */
  readonly #unseen: Set<Cell>;
  /** Positions whose test may hold for the ordinary value of its cell. */
  readonly #ordinary = new Map<Cell, ReadonlySet<number>>();

  constructor(signals: readonly Signal[], vocabulary: Vocabulary) {
    this.#signals = signals;
    for (const [at, signal] of signals.entries()) {
      const test = mostSelective(requiredTests(signal, vocabulary));
      if (test === undefined) this.#unindexed.push(at);
      else this.#groupOf(test.cell).add(test, at);
    }
    this.#unseen = new Set(this.#groups.keys());
  }

  /** Returns the position, at least `start` and below `end`, of the first formula that holds; undefined if none does. */
  firstHolding(sample: Sample, start: number, end: number): number | undefined {
    const indexed = [...this.#indexedFor(sample)].filter(at => at >= start && at < end).sort((a, b) => a - b);
    let next = firstFrom(this.#unindexed, start);
    for (let at = 0; ; ) {
      const position = Math.min(indexed[at] ?? end, this.#unindexed[next] ?? end);
      if (position >= end) return undefined;
      if (sample.holds(this.#signals[position]!)) return position;
      if (position === indexed[at]) at++;
      else next++;
    }
  }

  *#indexedFor(sample: Sample): Iterable<number> {
    for (const cell of this.#unseen) if (!sample.stated.has(cell)) this.#see(cell, sample);
    for (const [cell, positions] of this.#ordinary) if (!sample.stated.has(cell)) yield* positions;
    for (const cell of sample.stated) {
      const value = this.#groups.has(cell) ? sample.valueAt(cell) : undefined;
      if (value !== undefined) yield* this.#groups.get(cell)!.positionsFor(value);
    }
  }

  #see(cell: Cell, sample: Sample): void {
    const value = sample.valueAt(cell);
    if (value === undefined) return;
    this.#unseen.delete(cell);
    const positions = this.#groups.get(cell)!.positionsFor(value);
    if (positions.size > 0) this.#ordinary.set(cell, positions);
  }

  #groupOf(cell: Cell): Group {
    let group = this.#groups.get(cell);
    if (group === undefined) {
      group = new Group();
      this.#groups.set(cell, group);
    }
    return group;
  }
}

/** Returns the index of the first number that is not less than `start`; the numbers ascend. */
function firstFrom(numbers: readonly number[], start: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the test that the fewest values pass; undefined if there is none. */
function mostSelective(tests: readonly TestMeaning[]): TestMeaning | undefined {
  return tests.reduce<TestMeaning | undefined>(
    (best, test) => (best === undefined || breadthOf(test) < breadthOf(best) ? test : best),
    undefined,
  );
}

/** A guess at how many values pass a test; infinite for tests that have to be evaluated. */
function breadthOf(test: TestMeaning): number {
  const { words, prefixes } = test.kind === 'language' ? test.language.definition : {};
  const known = words?.length ?? prefixes?.length ?? keysOf(test, 'string')?.length;
  if (known !== undefined) return known;
  const digits = keysOf(test, 'digits');
  if (digits !== undefined) return Math.max(...digits.map(key => DIGITS - key.length));
  return partOf(test) === undefined ? Number.POSITIVE_INFINITY : PART;
}

/** More than a network of addresses, and less than all integers above one. */
const PART = 40;

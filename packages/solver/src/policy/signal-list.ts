// Formulas by what they require of one cell, so that those that may hold for a value are found quickly.

import type { Graph, Signal } from '../logic/formula.ts';
import { type Cell, type CellValue, holdsFor, type TestMeaning, type Vocabulary } from '../theory/vocabulary.ts';
import { addressNumber, type IntSet } from '../values/int-set.ts';
import type { Language } from '../values/language.ts';
import type { Sample } from './session.ts';

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

/** Which end of a value keys are the beginning of: of a string, of a reversed string, or of the binary digits of a number. */
export type KeyKind = 'string' | 'reversed' | 'digits';

/** Returns the tests without which a formula does not hold. */
export function requiredTests(signal: Signal, vocabulary: Vocabulary): readonly TestMeaning[] {
  return requiredAtoms(signal, vocabulary.graph).flatMap(atom => {
    const meaning = vocabulary.meaningOf(atom);
    return meaning.kind === 'free' || meaning.kind === 'same' || meaning.kind === 'difference' ? [] : [meaning];
  });
}

function requiredAtoms(signal: Signal, graph: Graph): readonly Signal[] {
  const gate = graph.gateOf(signal);
  if (signal < 0 || gate.kind === 'constant') return [];
  return gate.kind === 'atom' ? [signal] : gate.inputs.flatMap(input => requiredAtoms(input, graph));
}

/** Returns strings of which each value that passes a test starts with one; undefined if none are known, or too many. */
export function keysOf(test: TestMeaning, kind: KeyKind): readonly string[] | undefined {
  const keys = allKeysOf(test, kind);
  return keys === undefined || keys.length > MAX_KEYS || keys.includes('') ? undefined : keys;
}

const MAX_KEYS = 256;

/** Returns keys of the values that have both some of the first keys and some of the others. */
export function commonKeys(keys: readonly string[], others: readonly string[]): readonly string[] {
  if (keys.length * others.length > MAX_KEYS) return keys.length < others.length ? keys : others;
  return keys.flatMap(key =>
    others.flatMap(other => (key.startsWith(other) ? [key] : other.startsWith(key) ? [other] : [])),
  );
}

function allKeysOf(test: TestMeaning, kind: KeyKind): readonly string[] | undefined {
  if (kind === 'digits')
    return test.kind === 'addresses' || test.kind === 'integers' ? commonDigits(test.set) : undefined;
  if (test.kind !== 'language') return undefined;
  if (kind === 'string') return beginningsOf(test.language);
  const { words, suffix } = test.language.definition;
  return words?.map(word => `${reversed(word)}${ENDING}`) ?? (suffix === undefined ? undefined : [reversed(suffix)]);
}

/** Follows each string that is known as a whole. It is no character, so that no string contains it. */
const ENDING = '\uDFFF';

function beginningsOf(language: Language): readonly string[] {
  const { words, prefixes } = language.definition;
  return words?.map(word => `${word}${ENDING}`) ?? prefixes ?? [language.commonPrefix()];
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** Returns the digits that all numbers of each range begin with. */
function commonDigits(set: IntSet): readonly string[] | undefined {
  if (set.length > MAX_KEYS) return undefined;
  return set.map(([first, last]) => {
    const [a, b] = [digitsOf(first), digitsOf(last)];
    let length = 0;
    while (length < DIGITS && a[length] === b[length]) length++;
    return a.slice(0, length);
  });
}

/** The length of the key of a number. */
const DIGITS = 130;
const OFFSET = 2n ** 100n;

function digitsOf(value: bigint): string {
  return (value + OFFSET).toString(2).padStart(DIGITS, '0');
}

/** Returns the string that the keys of all tests that a value passes are beginnings of. */
function keyOfValue(value: string | bigint, kind: Exclude<KeyKind, 'reversed'>): string {
  if (kind === 'string') return `${value}${ENDING}`;
  return digitsOf(typeof value === 'bigint' ? value : addressNumber(value));
}

/** Returns a string that is a part of each string that passes a test, or of an element of each list; undefined if none is known. */
function partOf(test: TestMeaning): string | undefined {
  if (test.kind !== 'language' && test.kind !== 'some' && test.kind !== 'element') return undefined;
  const { part, suffix, words, prefixes } = test.language.definition;
  const [only, ...others] = words ?? prefixes ?? [];
  const found = part ?? suffix ?? (others.length === 0 ? only : undefined) ?? test.language.commonPrefix();
  return found === '' ? undefined : found;
}

/** Returns the strings of a value: itself, or its elements; none of a list of objects. */
function stringsOf(value: CellValue): readonly string[] {
  if (typeof value === 'bigint') return [];
  return typeof value === 'string' ? [value] : value.filter(one => typeof one === 'string');
}

import type { Signal } from '../logic/graph.ts';
import { type CellValue, holdsFor, type TestMeaning } from '../theory/traffic-theory.ts';
import type { Cell, Vocabulary } from '../theory/vocabulary.ts';
import { addressNumber } from '../values/addresses.ts';
import type { Sample } from './session.ts';

/** Formulas that need a test of the same cell to hold, by what it tests. */
interface Group {
  readonly words: Map<string, number[]>;
  readonly prefixes: Map<string, number[]>;
  readonly others: { readonly at: number; readonly test: TestMeaning }[];
  /** The positions whose test holds, for the latest values. */
  readonly known: Map<string | bigint, readonly number[]>;
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

  constructor(signals: readonly Signal[], vocabulary: Vocabulary) {
    this.#signals = signals;
    for (const [at, signal] of signals.entries()) {
      const test = neededTest(signal, vocabulary);
      if (test === undefined) this.#unindexed.push(at);
      else addTo(this.#groupOf(test.cell), at, test);
    }
  }

  /** Returns the position, at least `start` and below `end`, of the first formula that holds; undefined if none does. */
  firstHolding(sample: Sample, start: number, end: number): number | undefined {
    const candidates = this.#unindexed.filter(at => at >= start && at < end);
    for (const [cell, group] of this.#groups) {
      const value = sample.valueAt(cell);
      if (value === undefined) continue;
      for (const at of positionsFor(group, value)) if (at >= start && at < end) candidates.push(at);
    }
    return candidates.sort((a, b) => a - b).find(at => sample.holds(this.#signals[at]!));
  }

  #groupOf(cell: Cell): Group {
    let group = this.#groups.get(cell);
    if (group === undefined) {
      group = { words: new Map(), prefixes: new Map(), others: [], known: new Map() };
      this.#groups.set(cell, group);
    }
    return group;
  }
}

/** Returns a test without which the formula does not hold, the most selective one; undefined if there is none. */
function neededTest(signal: Signal, vocabulary: Vocabulary): TestMeaning | undefined {
  const { graph } = vocabulary;
  const gate = graph.gateOf(signal);
  if (signal < 0 || gate.kind === 'constant') return undefined;
  const inputs = gate.kind === 'atom' ? [signal] : gate.inputs;
  const atoms = inputs.filter(input => input > 0 && graph.gateOf(input).kind === 'atom');
  const tests = atoms.map(atom => vocabulary.meaningOf(atom)).filter(meaning => meaning.kind !== 'free');
  return tests.reduce<TestMeaning | undefined>(
    (best, test) => (best === undefined || breadthOf(test) < breadthOf(best) ? test : best),
    undefined,
  );
}

/** How many strings have to be looked up; infinite for other tests. */
function breadthOf(test: TestMeaning): number {
  if (test.kind !== 'language') return Number.POSITIVE_INFINITY;
  const { words, prefixes } = test.language.definition;
  return words?.length ?? prefixes?.length ?? Number.POSITIVE_INFINITY;
}

function addTo(group: Group, at: number, test: TestMeaning): void {
  const { words, prefixes } = test.kind === 'language' ? test.language.definition : {};
  for (const word of words ?? []) push(group.words, word, at);
  for (const prefix of (words === undefined && prefixes) || []) push(group.prefixes, prefix, at);
  if (words === undefined && prefixes === undefined) group.others.push({ at, test });
}

function push(positions: Map<string, number[]>, key: string, at: number): void {
  const known = positions.get(key);
  if (known === undefined) positions.set(key, [at]);
  else known.push(at);
}

function positionsFor(group: Group, value: CellValue): readonly number[] {
  const key = typeof value === 'bigint' ? value : typeof value === 'string' ? `"${value}` : JSON.stringify(value);
  const { known, words, prefixes, others } = group;
  let found = known.get(key);
  if (found !== undefined) return found;
  const text = String(value);
  const tested = others[0]?.test.kind === 'addresses' ? addressNumber(text) : value;
  const starts = prefixes.size === 0 ? [] : Array.from({ length: text.length + 1 }, (_, end) => text.slice(0, end));
  found = [
    ...(words.get(text) ?? []),
    ...new Set(starts.flatMap(start => prefixes.get(start) ?? [])),
    ...others.flatMap(({ at, test }) => (holdsFor(test, tested) ? [at] : [])),
  ];
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value!);
  known.set(key, found);
  return found;
}

const MOST_KNOWN = 64;

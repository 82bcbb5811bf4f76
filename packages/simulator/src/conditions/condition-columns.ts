/** Results of conjuncts by the values that they read: a column per set of inputs, and states that combine the columns to rules. */
import { type Conditions, type Environment, type NonValue, type TypedAst, Unknown } from '@tollgate/cel';
import { combineUndecided } from '@tollgate/cel/tooling';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import type { BuildActivation } from '../variables/activation.ts';
import { type ConditionValue, conjunction, nonValueText, settleUnclear } from './unclear-conditions.ts';

/** The results of the conjuncts that read the same inputs. Rules without such conjuncts count as true. */
export interface ColumnResults {
  /** Interned id of the results, from 0 in each column. */
  readonly number: number;
  /** Bit sets of rules whose conjuncts are not false, and are true. */
  readonly notFalse: Int32Array;
  readonly isTrue: Int32Array;
  /** Rules whose conjuncts are an error or unknown. */
  readonly open: readonly (readonly [rule: number, result: NonValue])[];
}

/** The compiled conjuncts of rules that read the same inputs. */
export interface PreparedConjuncts {
  /** Positions of the rules in their phase. */
  readonly rules: readonly number[];
  readonly conditions: Conditions;
  readonly build: BuildActivation;
  readonly source: ConjunctSources;
}

/** What was compiled: the conjuncts of each rule, and the environment that they were checked in. */
export interface ConjunctSources {
  readonly rules: readonly (readonly TypedAst[])[];
  readonly environment: Environment;
}

/** Replaces `results` by those of conjuncts, by rule. They are the same under all meanings of the headers that are unclear. */
export function evaluateConjuncts(
  { conditions, build }: Pick<PreparedConjuncts, 'conditions' | 'build'>,
  state: TrafficState,
  results: ConditionValue[],
): void {
  const evaluate = (one: TrafficState, into: ConditionValue[]) => conditions.evaluateAll(build(one), into);
  evaluate(state, results);
  settleUnclear(state, results, evaluate);
}

/** Returns the result of a rule's condition from groups of its conjuncts. */
export function conjunctionOfGroups(
  groups: readonly Parameters<typeof evaluateConjuncts>[0][],
  state: TrafficState,
): ConditionValue {
  const results: ConditionValue[] = [];
  return conjunction(
    groups.map(group => {
      evaluateConjuncts(group, state, results);
      return results[0]!;
    }),
  );
}

/** Results that are kept; messages of errors may contain what clients send. */
const MAX_KNOWN = 10_000;
const FEW = 30;

/** Evaluates the conjuncts of rules that read the same inputs. */
export class ConditionColumn {
  /** The rules that have conjuncts here, among those of all phases. */
  readonly rules: readonly number[];
  readonly #compiled: PreparedConjuncts;
  readonly #words: number;
  readonly #results: (boolean | NonValue)[];
  /** By the results, as bits or a string. */
  readonly #known = new Map<string | number, ColumnResults>();
  #count = 0;

  /**
   * @param first position of the phase's first rule among the rules of all phases
   * @param words of 32 bits for all rules
   */
  constructor(compiled: PreparedConjuncts, first: number, words: number) {
    this.#compiled = compiled;
    this.rules = compiled.rules.map(rule => first + rule);
    this.#words = words;
    this.#results = compiled.rules.map(() => false);
  }

  evaluate(state: TrafficState): ColumnResults {
    evaluateConjuncts(this.#compiled, state, this.#results);
    return this.#current();
  }

  /** Returns the results of conjuncts that are all known, in the order of the rules. */
  ofKnown(results: readonly boolean[]): ColumnResults {
    for (const [index, result] of results.entries()) this.#results[index] = result;
    return this.#current();
  }

  #current(): ColumnResults {
    const key = this.#bits() ?? this.#text();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const results = this.#gather();
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, results);
    return results;
  }

  /** Returns a bit for each rule, if there are few and no result is an error or unknown. A string takes many times as long. */
  #bits(): number | undefined {
    if (this.#results.length > FEW) return undefined;
    let bits = 0;
    for (let index = 0; index < this.#results.length; index++) {
      const result = this.#results[index];
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

  #gather(): ColumnResults {
    const notFalse = new Int32Array(this.#words).fill(-1);
    const isTrue = new Int32Array(this.#words).fill(-1);
    const open: [number, NonValue][] = [];
    for (const [index, result] of this.#results.entries()) {
      if (result === true) continue;
      const rule = this.rules[index]!;
      const [word, bit] = [rule >> 5, 1 << (rule & 31)];
      isTrue[word]! &= ~bit;
      if (result === false) notFalse[word]! &= ~bit;
      else open.push([rule, result]);
    }
    return { number: this.#count++, notFalse, isTrue, open };
  }
}

/** A bit for each rule, in words of 32. Typed arrays take many times as long to create. */
type Bits = readonly number[];

/** What the leaves that are combined so far say about all rules. */
interface LeafState {
  /** The rules that may match. */
  readonly notFalse: Bits;
  /** Of these, the rules whose conjuncts are all true. */
  readonly isTrue: Bits;
  /** The others, in order. */
  readonly open: readonly OpenRule[];
  readonly hash: number;
}

/** A rule whose condition is an error or unknown. */
interface OpenRule {
  readonly rule: number;
  /** Undefined if it is one of several errors, whose order the leaves do not tell. */
  readonly result: NonValue | undefined;
  /** The same for an equal result. */
  readonly text: string;
}

/** A rule whose condition is not false. */
export interface ConditionResult {
  readonly rule: number;
  readonly result: true | NonValue;
}

/**
 * Combines the classes of leaves to states. Exchanges of one state have the same results in all conditions up to the first rule that ends the
 * evaluation. States are numbered after each leaf from 0, and each combination is computed once.
 */
export class LeafStates {
  /** The leaves in the order of combination. */
  readonly #order: readonly number[];
  /** By leaf and class. */
  readonly #results: readonly (readonly ColumnResults[])[];
  /** By position in the order: the rules that end the evaluation, and that no later leaf has conjuncts of. */
  readonly #ends: readonly Bits[];
  /** By the number of combined leaves. */
  readonly #states: readonly LeafState[][];
  /** By the hash of states. */
  readonly #numbers: readonly Map<number, number[]>[];
  /** By position in the order, state before it, and class. */
  readonly #next: readonly number[][][];

  /**
   * @param results by leaf and class, as they become known
   * @param ends by rule: it ends the evaluation whenever it matches
   */
  constructor(
    columns: readonly ConditionColumn[],
    results: readonly (readonly ColumnResults[])[],
    ends: readonly boolean[],
  ) {
    this.#results = results;
    // The later leaves with many classes come, the fewer states there are before them.
    this.#order = [...columns.keys()].sort((a, b) => results[a]!.length - results[b]!.length);
    const all = bitsOf([...ends.keys()], ends.length);
    this.#states = [[{ notFalse: all, isTrue: all, open: [], hash: 0 }], ...columns.map(() => [])];
    this.#numbers = columns.map(() => new Map());
    this.#next = columns.map(() => []);
    this.#ends = this.#order.map((_, at) => {
      const later = new Set(this.#order.slice(at + 1).flatMap(leaf => columns[leaf]!.rules));
      return bitsOf(
        [...ends.keys()].filter(rule => ends[rule] && !later.has(rule)),
        ends.length,
      );
    });
  }

  /** Returns the state of exchanges that are of these classes in the leaves. */
  stateOf(classes: readonly number[]): number {
    let state = 0;
    for (let at = 0; at < this.#order.length; at++) {
      const own = classes[this.#order[at]!]!;
      state = this.#next[at]![state]?.[own] ?? this.#combine(at, state, own);
    }
    return state;
  }

  /** Returns the conditions that are not false, in the order of the rules; undefined if the error of one is not known. */
  resultsIn(state: number): readonly ConditionResult[] | undefined {
    const { isTrue, open } = this.#states.at(-1)![state]!;
    const results: ConditionResult[] = [];
    for (const { rule, result } of open) {
      if (result === undefined) return undefined;
      results.push({ rule, result });
    }
    for (const rule of rulesIn(isTrue)) results.push({ rule, result: true });
    return results.sort((a, b) => a.rule - b.rule);
  }

  #combine(at: number, before: number, own: number): number {
    const next = this.#next[at]!;
    const number = this.#numberOf(at, this.#combined(at, before, own));
    next[before] ??= [];
    next[before][own] = number;
    return number;
  }

  #numberOf(at: number, state: LeafState): number {
    const numbers = this.#numbers[at]!;
    const states = this.#states[at + 1]!;
    const sameHash = numbers.get(state.hash) ?? [];
    const known = sameHash.find(number => isEqual(states[number]!, state));
    if (known !== undefined) return known;
    const number = states.push(state) - 1;
    numbers.set(state.hash, [...sameHash, number]);
    return number;
  }

  #combined(at: number, before: number, own: number): LeafState {
    const state = this.#states[at]![before]!;
    const results = this.#results[this.#order[at]!]![own]!;
    const [notFalse, isTrue]: [number[], number[]] = [[], []];
    for (let word = 0; word < state.notFalse.length; word++) {
      notFalse.push(state.notFalse[word]! & results.notFalse[word]!);
      isTrue.push(state.isTrue[word]! & results.isTrue[word]!);
    }
    clearAfterFirst(this.#ends[at]!, isTrue, notFalse);
    const open = openIn(state.open, results.open).filter(({ rule }) => has(notFalse, rule));
    return { notFalse, isTrue, open, hash: hashOf(notFalse, isTrue) };
  }
}

function isEqual(one: LeafState, other: LeafState): boolean {
  return (
    areEqual(one.notFalse, other.notFalse) &&
    areEqual(one.isTrue, other.isTrue) &&
    one.open.every(({ rule, text }, at) => other.open[at]!.rule === rule && other.open[at]!.text === text)
  );
}

function areEqual(one: Bits, other: Bits): boolean {
  for (let word = 0; word < one.length; word++) if (one[word] !== other[word]) return false;
  return true;
}

/** Errors and unknowns hardly differ where the same rules are open. */
function hashOf(notFalse: Bits, isTrue: Bits): number {
  let hash = 0;
  for (let word = 0; word < notFalse.length; word++)
    hash = Math.imul(Math.imul(hash, 31) + notFalse[word]!, 31) + isTrue[word]!;
  // Small integers are looked up fastest.
  return hash & 0x3fffffff;
}

/** Clears the bits after the first one of `isTrue` that is among `ends`. */
function clearAfterFirst(ends: Bits, isTrue: number[], notFalse: number[]): void {
  let word = 0;
  while (word < ends.length && (isTrue[word]! & ends[word]!) === 0) word++;
  if (word === ends.length) return;
  const found = isTrue[word]! & ends[word]!;
  const first = found & -found;
  for (const set of [isTrue, notFalse]) {
    set[word]! &= first | (first - 1);
    set.fill(0, word + 1);
  }
}

function openIn(before: readonly OpenRule[], own: ColumnResults['open']): readonly OpenRule[] {
  if (own.length === 0) return before;
  const open = new Map(before.map(one => [one.rule, one]));
  for (const [rule, result] of own) {
    const known = open.get(rule);
    const both = known === undefined ? result : together(known.result, result);
    open.set(rule, { rule, result: both, text: both === undefined ? '' : nonValueText(both) });
  }
  return [...open.values()].sort((a, b) => a.rule - b.rule);
}

function together(one: NonValue | undefined, other: NonValue): NonValue | undefined {
  const isOrdered = !(one instanceof Unknown || other instanceof Unknown);
  return isOrdered ? undefined : combineUndecided(one, other);
}

function bitsOf(rules: readonly number[], count: number): Bits {
  const bits = Array.from({ length: (count + 31) >> 5 }, () => 0);
  for (const rule of rules) bits[rule >> 5]! |= 1 << (rule & 31);
  return bits;
}

function has(bits: Bits, rule: number): boolean {
  return (bits[rule >> 5]! & (1 << (rule & 31))) !== 0;
}

function* rulesIn(bits: Bits): Generator<number> {
  for (const [at, word] of bits.entries())
    for (let rest = word; rest !== 0; rest &= rest - 1) yield (at << 5) + 31 - Math.clz32(rest & -rest);
}

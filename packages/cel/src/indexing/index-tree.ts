// The index over the tests of all rules: which rules may hold for a value.

import { parseIp } from '../runtime/network.ts';
import { CelDouble, type CidrRange, NonValue, type Value } from '../values/value.ts';
import { type Alternatives, type IndexablePredicate, type Term, weightOf } from './index-predicates.ts';
import { type Mode, StringAutomaton } from './string-automaton.ts';

/** Assigns numbers to terms in the order of their first use. */
type NumberTerm = (term: Term) => number;

/** Evaluating this few rules is as fast as looking them up. */
const MIN_INDEXED_RULES = 4;

/** An index of rules, and the positions of those that it cannot look up. */
interface RuleIndex extends IndexNode {
  readonly rest: readonly number[];
}

/** Builds the index of rules in ascending order. */
export function indexRules(rules: readonly PredicateRule[], numberOf: NumberTerm): RuleIndex {
  const { groups, rest } = grouped(rules);
  const parts = groups.map(group => indexGroup(group, numberOf));
  return {
    rest: rest.map(({ position }) => position),
    gather: gathering => {
      for (const part of parts) part.gather(gathering);
    },
  };
}

/** Builds the index of rules that pass the same test. Those that it cannot look up are always candidates. */
function indexPassed(rules: readonly PredicateRule[], numberOf: NumberTerm): IndexNode {
  const { rest, gather } = indexRules(rules, numberOf);
  if (rest.length === 0) return { gather };
  const always = { positions: Int32Array.from(rest) };
  return {
    gather: gathering => {
      gathering.add(always);
      gather(gathering);
    },
  };
}

function candidatesOf(rules: readonly { readonly position: number }[]): Candidates {
  return { positions: Int32Array.from(rules, rule => rule.position) };
}

interface GroupContext {
  /** Tests of one kind on one term. */
  readonly groups: readonly (readonly GroupedRule[])[];
  readonly rest: readonly PredicateRule[];
}

/** Groups rules by the tests that each shares with the fewest others: by each of the alternatives of a part. */
function grouped(rules: readonly PredicateRule[]): GroupContext {
  if (rules.length <= MIN_INDEXED_RULES) return { groups: [], rest: rules };
  const counts = new Map<string, number>();
  for (const { tests } of rules) {
    for (const key of tests.flat().flatMap(valueKeys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const groups = new Map<string, GroupedRule[]>();
  const rest: PredicateRule[] = [];
  for (const rule of rules) {
    const part = best(rule.tests, counts);
    if (part === undefined) rest.push(rule);
    const others = { ...rule, tests: rule.tests.filter(other => other !== part) };
    for (const test of part ?? []) {
      const key = `${test.kind} ${test.term.key}`;
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({ position: rule.position, rule: others, test });
    }
  }
  return { groups: [...groups.values()], rest };
}

function best(parts: readonly Alternatives[], counts: ReadonlyMap<string, number>): Alternatives | undefined {
  const countOf = (test: IndexablePredicate) => valueKeys(test).reduce((sum, key) => sum + counts.get(key)!, 0);
  const [first, ...others] = parts;
  return others.reduce(
    (chosen, part) => (chosen && weightOf(part, countOf) < weightOf(chosen, countOf) ? part : chosen),
    first,
  );
}

/** Returns equal keys for tests that the same values pass. */
function valueKeys(test: IndexablePredicate): readonly string[] {
  const start = `${test.kind} ${test.term.key}`;
  switch (test.kind) {
    case 'one-of':
      return [...new Set(test.values)].map(value => `${start} ${typeof value} ${value}`);
    case 'range':
      return [`${start} ${test.range.ip.bytes.join('.')}/${test.range.prefixLength}`];
    case 'threshold':
      return [start];
    default:
      return [`${start} ${test.text}`];
  }
}

function indexGroup(group: readonly GroupedRule[], numberOf: NumberTerm): IndexNode {
  const { kind, term } = group[0]!.test;
  const number = numberOf(term);
  const all = candidatesOf(group);
  const find = kind === 'threshold' ? thresholdIndex(group) : valueIndex(group, numberOf);
  return {
    gather: gathering => {
      const value = gathering.valueOf(number);
      // If the value is an error or unknown, the rule must be evaluated.
      if (value instanceof NonValue || !find(value, gathering)) gathering.add(all);
    },
  };
}

function valueIndex(group: readonly GroupedRule[], numberOf: NumberTerm): Find {
  const members = new Map<string, { readonly test: IndexablePredicate; readonly rules: PredicateRule[] }>();
  for (const { rule, test } of group) {
    for (const key of valueKeys(test)) {
      const bucket = members.get(key) ?? { test, rules: [] };
      members.set(key, bucket);
      bucket.rules.push(rule);
    }
  }
  // Rules that the same values pass are indexed by their other tests.
  const nodes = new Map([...members].map(([key, { rules }]) => [key, indexPassed(rules, numberOf)] as const));
  const tests = [...members.values()].map(({ test }) => test);
  switch (tests[0]!.kind) {
    case 'one-of':
      return equalityIndex(tests, nodes);
    case 'range':
      return rangeIndex(tests, [...nodes.values()]);
    default:
      return textIndex(tests, [...nodes.values()]);
  }
}

function equalityIndex(tests: readonly IndexablePredicate[], nodes: ReadonlyMap<string, IndexNode>): Find {
  const byValue = new Map<unknown, IndexNode>();
  for (const test of tests) {
    if (test.kind !== 'one-of') continue;
    const keys = valueKeys(test);
    for (const [at, value] of [...new Set(test.values)].entries()) byValue.set(value, nodes.get(keys[at]!)!);
  }
  return (value, gathering) => {
    byValue.get(value)?.gather(gathering);
    return true;
  };
}

function rangeIndex(tests: readonly IndexablePredicate[], nodes: readonly IndexNode[]): Find {
  const index = new AddressIndex(tests.flatMap(test => (test.kind === 'range' ? [test.range] : [])));
  return (value, gathering) => {
    const found: number[] = [];
    if (typeof value !== 'string' || !index.find(value, found)) return false;
    for (const position of found) nodes[position]!.gather(gathering);
    return true;
  };
}

function textIndex(tests: readonly IndexablePredicate[], nodes: readonly IndexNode[]): Find {
  const texts = tests.flatMap(test => ('text' in test ? [test.text] : []));
  // Rules that are not indexed are evaluated: slower, but with bounded memory.
  if (!StringAutomaton.isSmall(texts)) return () => false;
  const automaton = new StringAutomaton(texts, tests[0]!.kind as Mode);
  // The generation in which each string was last found, so that duplicates count once.
  const seen = new Uint32Array(texts.length);
  let run = 0;
  return (value, gathering) => {
    if (typeof value !== 'string') return false;
    const found: number[] = [];
    automaton.find(value, found);
    run = (run + 1) >>> 0;
    for (const position of found) {
      if (seen[position] === run) continue;
      seen[position] = run;
      nodes[position]!.gather(gathering);
    }
    return true;
  };
}

/** Finds which of many address ranges contain an address, with one lookup for each prefix length. */
export class AddressIndex {
  /** Positions of ranges by their leading bits, per family and prefix length. */
  readonly #tables: Table[] = [];

  constructor(ranges: readonly CidrRange[]) {
    for (const [position, { ip, prefixLength }] of ranges.entries()) {
      const table = this.#tableOf(ip.bytes.length, prefixLength);
      const key = firstBits(ip.bytes, prefixLength);
      const known = table.positions.get(key);
      if (known === undefined) table.positions.set(key, [position]);
      else known.push(position);
    }
  }

  /** Adds the positions of the ranges that contain the address to `out`; returns false if the string is not an address. */
  find(text: string, out: number[]): boolean {
    const ip = parseIp(text);
    if (ip === undefined) return false;
    for (const { size, length, positions } of this.#tables) {
      if (size !== ip.bytes.length) continue;
      const found = positions.get(firstBits(ip.bytes, length));
      if (found !== undefined) out.push(...found);
    }
    return true;
  }

  #tableOf(size: number, length: number): Table {
    const known = this.#tables.find(table => table.size === size && table.length === length);
    if (known !== undefined) return known;
    const made = { size, length, positions: new Map<number | string, number[]>() };
    this.#tables.push(made);
    return made;
  }
}

interface Table {
  /** Bytes of an address. */
  readonly size: number;
  /** Bits of the prefix. */
  readonly length: number;
  readonly positions: Map<number | string, number[]>;
}

/** Returns a number for IPv4. */
function firstBits(bytes: Uint8Array, length: number): number | string {
  if (bytes.length === 4) {
    const address = ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
    return length === 0 ? 0 : address >>> (32 - length);
  }
  const whole = length >> 3;
  let key = '';
  for (let i = 0; i < whole; i++) key += String.fromCharCode(bytes[i]!);
  return length % 8 === 0 ? key : `${key}${bytes[whole]! >> (8 - (length % 8))}`;
}

/** Returns an index of thresholds. Because many may pass, candidates are enumerated lazily. */
function thresholdIndex(group: readonly GroupedRule[]): Find {
  const thresholds = group.flatMap(({ position, test }) =>
    test.kind === 'threshold' ? [upwards(position, test)] : [],
  );
  const tables = SORTS.flatMap(({ sign, inclusive }) => {
    const some = thresholds.filter(one => one.sign === sign && one.inclusive === inclusive);
    return some.length > 0 ? [{ sign, candidates: tableOf(some, inclusive) }] : [];
  });
  return (value, gathering) => {
    const number = numberOf(value);
    if (number === undefined) return false;
    for (const { sign, candidates } of tables) gathering.add(candidates, sign * number);
    return true;
  };
}

interface Threshold {
  readonly position: number;
  /** -1 for thresholds that pass below the bound, whose numbers and bounds are negated. */
  readonly sign: 1 | -1;
  readonly inclusive: boolean;
  readonly bound: number;
}

const SORTS = [
  { sign: 1, inclusive: false },
  { sign: 1, inclusive: true },
  { sign: -1, inclusive: false },
  { sign: -1, inclusive: true },
] as const;

function upwards(
  position: number,
  { operator, bound }: Extract<IndexablePredicate, { readonly kind: 'threshold' }>,
): Threshold {
  const sign = operator.startsWith('>') ? 1 : -1;
  return { position, sign, inclusive: operator.endsWith('='), bound: sign * bound };
}

function tableOf(thresholds: readonly Threshold[], inclusive: boolean): Candidates {
  const bounds = Float64Array.from(thresholds, threshold => threshold.bound);
  const positions = Int32Array.from(thresholds, threshold => threshold.position);
  return { positions, thresholds: thresholdsOf(bounds, inclusive) };
}

/** Returns undefined for an int that no JavaScript number represents exactly. */
function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return value instanceof CelDouble ? value.value : undefined;
}

/** Rules that may match, as positions in ascending order. */
export interface Candidates {
  readonly positions: Int32Array;
  /** If present, only rules whose threshold a number passes are candidates. */
  readonly thresholds?: Thresholds;
}

/** One threshold per position. */
interface Thresholds {
  readonly bounds: Float64Array;
  /** The smallest bound of each {@link BLOCK}, so that most bounds are skipped. */
  readonly least: Float64Array;
  /** Whether a number equal to its bound passes. */
  readonly inclusive: boolean;
}

const BLOCK = 16;

/** @param bounds one per position; a number passes if it is greater */
export function thresholdsOf(bounds: Float64Array, inclusive: boolean): Thresholds {
  const least = new Float64Array(Math.ceil(bounds.length / BLOCK)).fill(Number.POSITIVE_INFINITY);
  for (const [index, bound] of bounds.entries()) {
    const block = Math.floor(index / BLOCK);
    least[block] = Math.min(least[block]!, bound);
  }
  return { bounds, least, inclusive };
}

/** Returns the first index from `at` on whose threshold the number passes; the number of thresholds if there is none. */
function nextPassed({ bounds, least, inclusive }: Thresholds, number: number, at: number): number {
  let index = at;
  while (index < bounds.length) {
    const block = index % BLOCK === 0 ? least[index / BLOCK]! : bounds[index]!;
    if (!(number > block || (inclusive && number === block))) {
      index += index % BLOCK === 0 ? BLOCK : 1;
      continue;
    }
    const bound = bounds[index]!;
    if (number > bound || (inclusive && number === bound)) return index;
    index += 1;
  }
  return bounds.length;
}

/** Merges lists of candidates in ascending order, each once. */
export class Merge {
  readonly #lists: Candidates[] = [];
  readonly #numbers: number[] = [];
  /** The current index in each list, and the candidate there. */
  readonly #at: number[] = [];
  readonly #heads: number[] = [];
  #size = 0;
  #last = -1;

  clear(): void {
    this.#size = 0;
    this.#last = -1;
  }

  /** @param number the value to compare with thresholds */
  add(candidates: Candidates, number = 0): void {
    const { positions, thresholds } = candidates;
    const first = thresholds === undefined ? 0 : nextPassed(thresholds, number, 0);
    if (first >= positions.length) return;
    const size = this.#size;
    this.#lists[size] = candidates;
    this.#numbers[size] = number;
    this.#at[size] = first;
    this.#heads[size] = positions[first]!;
    this.#size = size + 1;
  }

  /** Removes and returns the smallest remaining candidate; undefined if there is none. */
  next(): number | undefined {
    const heads = this.#heads;
    while (this.#size > 0) {
      let least = 0;
      for (let list = 1; list < this.#size; list++) if (heads[list]! < heads[least]!) least = list;
      const position = heads[least]!;
      this.#advance(least);
      if (position === this.#last) continue;
      this.#last = position;
      return position;
    }
    return undefined;
  }

  #advance(list: number): void {
    const { positions, thresholds } = this.#lists[list]!;
    const after = this.#at[list]! + 1;
    const at = thresholds === undefined ? after : nextPassed(thresholds, this.#numbers[list]!, after);
    if (at < positions.length) {
      this.#at[list] = at;
      this.#heads[list] = positions[at]!;
      return;
    }
    const last = this.#size - 1;
    this.#lists[list] = this.#lists[last]!;
    this.#numbers[list] = this.#numbers[last]!;
    this.#at[list] = this.#at[last]!;
    this.#heads[list] = this.#heads[last]!;
    this.#size = last;
  }
}

/** The tests of a rule, by its position among all rules. */
export interface PredicateRule {
  readonly position: number;
  readonly tests: readonly Alternatives[];
}

/** A rule and a test that it is indexed by. */
interface GroupedRule {
  readonly position: number;
  /** With its other tests. */
  readonly rule: PredicateRule;
  readonly test: IndexablePredicate;
}

/** One evaluation, as seen by the index. */
export interface LookupContext {
  readonly valueOf: (term: number) => Value | NonValue;
  /** Adds rules that may match; `number` is compared with their thresholds. */
  readonly add: (candidates: Candidates, number?: number) => void;
}

/** An index of rules by their tests, which finds those that may match without visiting the others. */
interface IndexNode {
  readonly gather: (gathering: LookupContext) => void;
}

/** Adds the rules that may match the value; returns false if the value decides nothing. */
type Find = (value: Value, gathering: LookupContext) => boolean;

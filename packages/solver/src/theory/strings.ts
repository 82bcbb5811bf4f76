import type { Budget } from '../logic/budget.ts';
import { type Automaton, materialize } from '../values/automaton.ts';
import {
  ANY_STRING,
  addressNumber,
  addressString,
  complement,
  DOUBLES,
  emptyTogether,
  INT64,
  type IntRange,
  type IntSet,
  includes,
  intersect,
  NO_ADDRESS,
  V4,
  V6,
} from '../values/int-set.ts';
import type { Language } from '../values/language.ts';
import { oneOf, startsWith } from '../values/literal-automata.ts';
import { addressAutomaton } from '../values/number-automata.ts';
import { automatonPart, findChain, findString, lazyPart, type Part, positionsPart } from '../values/product.ts';
import { type CellAnswer, NOT_MODELLED, PATTERNS_TOO_LARGE, shrink } from './integers.ts';
import type { Universe } from './vocabulary.ts';

/** A statement about a string. */
export type StringLiteral =
  | { readonly kind: 'language'; readonly language: Language; readonly isNegated: boolean }
  /** The address that it is; the set may contain {@link NO_ADDRESS}. */
  | { readonly kind: 'addresses'; readonly set: IntSet };

/** Looks for a string for which all literals hold, the most ordinary first. */
export function decideStrings(
  literals: readonly StringLiteral[],
  universe: Universe,
  budget: Budget,
): CellAnswer<string> {
  const answer = decideOnce(literals, universe, budget);
  if (answer.kind !== 'conflict' || universe.domain !== undefined || answer.positions.length < 3) return answer;
  const isConflict = (positions: readonly number[]) => {
    const fewer = positions.map(at => literals[at]!);
    return decideOnce(fewer, universe, budget).kind === 'conflict';
  };
  return { kind: 'conflict', positions: shrink(answer.positions, isConflict) };
}

/** The conflict may have literals that it does not need. */
function decideOnce(literals: readonly StringLiteral[], universe: Universe, budget: Budget): CellAnswer<string> {
  for (const candidate of candidatesFor(literals, universe)) {
    if (holdsFor(literals, universe, candidate)) return { kind: 'value', value: candidate };
  }
  if (universe.domain !== undefined) return { kind: 'conflict', positions: coreOfDomain(literals, universe.domain) };
  const isPartial = literals.some(one => one.kind === 'language' && one.language.definition.isPartial);
  const named = isPartial ? undefined : namedWords(literals);
  return named === undefined ? search(literals, universe, budget) : decideWords(literals, universe, named);
}

/** Returns true if a string satisfies one literal, as an evaluation would say. */
function holds(literal: StringLiteral, text: string): boolean {
  if (literal.kind === 'addresses') return includes(literal.set, addressNumber(text));
  return literal.language.test(text) !== literal.isNegated;
}

function holdsFor(literals: readonly StringLiteral[], { language }: Universe, text: string): boolean {
  return (language?.test(text) ?? true) && literals.every(literal => holds(literal, text));
}

/** Most questions need no automaton: an ordinary value or a string of the policy will do. */
function* candidatesFor(literals: readonly StringLiteral[], { preferred, domain }: Universe): Generator<string> {
  yield* preferred;
  if (domain !== undefined) return yield* domain;
  const samples = literals.flatMap(one =>
    one.kind === 'language' && !one.isNegated ? one.language.definition.samples : [],
  );
  yield* samples.slice(0, MAX_SAMPLES);
  if (literals.some(one => one.kind === 'addresses')) yield* addressCandidates(literals);
  yield* integerCandidates(literals);
  yield* concatenations(literals, preferred);
}

const MAX_SAMPLES = 64;

/** Returns strings that begin, end and contain what the literals say, which have them one after the other. */
function concatenations(literals: readonly StringLiteral[], preferred: readonly string[]): readonly string[] {
  const all = literals.flatMap(one => (one.kind === 'language' && !one.isNegated ? [one.language.definition] : []));
  const contained = all.flatMap(({ part }) => part ?? []);
  if (contained.length < 2) return [];
  const start = longest(all.flatMap(({ prefixes }) => (prefixes?.length === 1 ? prefixes : [])));
  const end = longest(all.flatMap(({ suffix }) => suffix ?? []));
  return joinings(start === '' ? ['', '/', ...preferred.slice(0, 1)] : [start], contained, end);
}

/** Returns strings that contain all words, with one of the beginnings and the end. */
function joinings(starts: readonly string[], contained: readonly string[], end: string): readonly string[] {
  const words = withoutParts(contained);
  const joined = ['', '/'].map(between => words.join(between));
  return starts.flatMap(start => {
    // The beginning and the end may be parts of the words that follow and precede.
    return [overlapped([start, ...words, end]), ...joined.map(middle => `${start}${middle}${end}`)];
  });
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), '');
}

/** Returns the different words that are not parts of others. */
function withoutParts(contained: readonly string[]): readonly string[] {
  const words = [...new Set(contained)];
  const byLength = words.toSorted((a, b) => b.length - a.length);
  return words.filter(word => {
    for (const other of byLength) {
      if (other.length <= word.length) return true;
      if (other.includes(word)) return false;
    }
    return true;
  });
}

/** Joins strings, the end of each being the beginning of the next. */
function overlapped(texts: readonly string[]): string {
  let joined = '';
  // A text that is still joined is copied when its end is read, so the end is kept apart.
  let end = '';
  const most = longest(texts).length;
  for (const text of texts) {
    let shared = Math.min(end.length, text.length);
    while (!end.endsWith(text.slice(0, shared))) shared--;
    joined += text.slice(shared);
    end = (end + text.slice(shared)).slice(-most);
  }
  return joined;
}

function addressCandidates(literals: readonly StringLiteral[]): readonly string[] {
  const set = literals.map(addressesOf).reduce(intersect, ANY_STRING);
  return set
    .slice(0, MAX_SAMPLES)
    .flatMap(([first, last]) => [
      first === NO_ADDRESS ? '-' : addressString(first),
      ...(last > first ? [addressString(first + 1n)] : []),
    ]);
}

/** The strings that one of the literals names, and its position. */
interface NamedWords {
  readonly words: readonly string[];
  readonly at: number;
}

/** Returns the fewest strings that a literal names; undefined if none names all. */
function namedWords(literals: readonly StringLiteral[]): NamedWords | undefined {
  return literals.reduce<NamedWords | undefined>((best, one, at) => {
    const words = one.kind === 'language' && !one.isNegated ? one.language.definition.words : undefined;
    return words === undefined || (best !== undefined && best.words.length <= words.length) ? best : { words, at };
  }, undefined);
}

/** Tries each string that can be meant, as an evaluation would: no automaton is needed. */
function decideWords(
  literals: readonly StringLiteral[],
  universe: Universe,
  { words, at }: NamedWords,
): CellAnswer<string> {
  const formed = words.filter(text => universe.language?.test(text) ?? true);
  const found = formed.find(text => literals.every(literal => holds(literal, text)));
  if (found !== undefined) return { kind: 'value', value: found };
  return { kind: 'conflict', positions: [...new Set([at, ...coreOfDomain(literals, formed)])].sort((a, b) => a - b) };
}

/** Returns positions such that each value of the domain fails one of their literals. */
function coreOfDomain(literals: readonly StringLiteral[], domain: readonly string[]): readonly number[] {
  const core = new Set<number>();
  for (const text of domain) {
    if ([...core].some(at => !holds(literals[at]!, text))) continue;
    core.add(literals.findIndex(literal => !holds(literal, text)));
  }
  return [...core].sort((a, b) => a - b);
}

function search(literals: readonly StringLiteral[], universe: Universe, budget: Budget): CellAnswer<string> {
  const alone =
    numbersAlone(literals, 'integers') ?? numbersAlone(literals, 'doubles') ?? addressesAlone(literals, universe);
  if (alone !== undefined) return { kind: 'conflict', positions: alone };
  const pair = containedPair(literals, budget);
  if (pair !== undefined) return { kind: 'conflict', positions: pair };
  const mustBeAddress = isAddress(universe) || !includes(allowedAddresses(literals, universe), NO_ADDRESS);
  if (!mustBeAddress) return searchWith(sourcesOf(literals, universe), literals, { universe, budget });
  // The form of IPv6 addresses is only approximated, so that one is only looked for if no IPv4 address will do.
  for (const mayBeV6 of [false, true]) {
    const sources = [addressSource(literals, universe, mayBeV6), ...sourcesOf(literals, universe)];
    const answer = searchWith(sources, literals, { universe, budget });
    if (mayBeV6 || answer.kind === 'value') return answer;
  }
  return { kind: 'unknown', reason: NOT_MODELLED };
}

/**
 * Returns the positions of a language that the string belongs to and of one around it that it does not: most conflicts are such pairs, and
 * the product of everything else that is said is what takes time.
 */
function containedPair(literals: readonly StringLiteral[], budget: Budget): readonly number[] | undefined {
  if (literals.length < PAIRS_FROM) return undefined;
  for (const [at, one] of literals.entries()) {
    if (one.kind !== 'language' || one.isNegated) continue;
    const other = literals.findIndex(
      two => two.kind === 'language' && two.isNegated && one.language.isWithin(two.language, budget),
    );
    if (other >= 0) return at < other ? [at, other] : [other, at];
  }
  return undefined;
}

/** The product of fewer literals is that of a pair. */
const PAIRS_FROM = 3;

interface SearchContext {
  readonly universe: Universe;
  readonly budget: Budget;
}

function searchWith(
  sources: readonly Source[],
  literals: readonly StringLiteral[],
  { universe, budget }: SearchContext,
): CellAnswer<string> {
  const apart = searchApart(sources, literals, { universe, budget });
  if (apart !== undefined) return apart;
  const found = findString(
    sources.map(source => source.part),
    budget,
  );
  switch (found.kind) {
    case 'empty':
      return { kind: 'conflict', positions: positionsOf(found.parts, sources) };
    case 'open':
      return { kind: 'unknown', reason: PATTERNS_TOO_LARGE };
    case 'string':
      if (holdsFor(literals, universe, found.text)) return { kind: 'value', value: found.text };
      return searchForCertain(sources, literals, { universe, budget });
  }
}

/**
 * Looks for a string that the automata are certain of: where one cannot tell whether a string belongs to its language, that counts against
 * the string.
 */
function searchForCertain(
  sources: readonly Source[],
  literals: readonly StringLiteral[],
  { universe, budget }: SearchContext,
): CellAnswer<string> {
  const certain = sources.map(({ part, literal }) => {
    const automaton = literal?.language.minimal(!literal.isNegated);
    return automaton === undefined ? part : automatonPart(automaton, literal!.isNegated);
  });
  const found = findString(certain, budget);
  if (found.kind === 'string' && holdsFor(literals, universe, found.text)) return { kind: 'value', value: found.text };
  return { kind: 'unknown', reason: found.kind === 'open' ? PATTERNS_TOO_LARGE : NOT_MODELLED };
}

/**
 * Treats what a string must contain apart from everything else, because its product has 2^n states: conflicts with one such demand, and
 * strings that meet one after the other, are found without it. Undefined if neither is.
 */
function searchApart(
  sources: readonly Source[],
  literals: readonly StringLiteral[],
  { universe, budget }: SearchContext,
): CellAnswer<string> | undefined {
  const [goals, others] = [sources.filter(one => one.isGoal), sources.filter(one => !one.isGoal)];
  if (goals.length < APART_FROM) return undefined;
  const partsOf = (all: readonly Source[]) => all.map(source => source.part);
  const [words, beginnings] = [witnessesOf(goals), witnessesOf(others)];
  const likely = joinings(['', '/', ...beginnings.slice(0, MAX_SAMPLES)], words, '').find(text =>
    holdsFor(literals, universe, text),
  );
  if (likely !== undefined) return { kind: 'value', value: likely };
  const text = findChain(partsOf(others), partsOf(goals), budget);
  if (text !== undefined && holdsFor(literals, universe, text)) return { kind: 'value', value: text };
  for (const goal of goals) {
    const chosen = [...others, goal];
    const found = findString(partsOf(chosen), budget);
    if (found.kind === 'empty') return { kind: 'conflict', positions: positionsOf(found.parts, chosen) };
  }
  return undefined;
}

/** Returns a string for each part that stands for one language. */
function witnessesOf(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ literal }) => (literal?.isNegated === false ? (literal.language.witness() ?? []) : []));
}

/** Products of fewer goals are small. */
const APART_FROM = 3;

function positionsOf(parts: readonly number[], sources: readonly Source[]): readonly number[] {
  return [...new Set(parts.flatMap(at => sources[at]!.positions))].sort((a, b) => a - b);
}

function isAddress({ language }: Universe): boolean {
  return language?.key === ADDRESS_KEY;
}

/** What strings may parse as: all of it. */
const NUMBERS = { integers: [INT64], doubles: DOUBLES } as const;

/** Literals that the string parses as a number of a set, as sets, with their positions. */
function numberLiterals(literals: readonly StringLiteral[], kind: keyof typeof NUMBERS) {
  const found = literals.flatMap((one, at) => {
    const set = one.kind === 'language' ? one.language.definition[kind] : undefined;
    return set === undefined ? [] : [{ at, set, isNegated: one.kind === 'language' && one.isNegated }];
  });
  const first = found.find(one => !one.isNegated);
  // Without one, the string need not be a number.
  if (first === undefined) return undefined;
  const without = (set: IntSet) => intersect(complement(set, lineOf(kind)), NUMBERS[kind]);
  return { first: first.at, all: found.map(one => (one.isNegated ? { ...one, set: without(one.set) } : one)) };
}

function lineOf(kind: keyof typeof NUMBERS): IntRange {
  return [NUMBERS[kind][0]![0], NUMBERS[kind].at(-1)![1]];
}

/** Returns the positions of literals about numbers that contradict each other. */
function numbersAlone(literals: readonly StringLiteral[], kind: keyof typeof NUMBERS): readonly number[] | undefined {
  const found = numberLiterals(literals, kind);
  const sets = found?.all.map(one => one.set) ?? [];
  const core = found && emptyTogether(sets, lineOf(kind));
  if (core === undefined) return undefined;
  return [...new Set([found!.first, ...core.map(at => found!.all[at]!.at)])].sort((a, b) => a - b);
}

/** Returns the ends of the ranges of integers that the literals leave. */
function integerCandidates(literals: readonly StringLiteral[]): readonly string[] {
  const all = numberLiterals(literals, 'integers')?.all;
  const left = all?.reduce<IntSet>((rest, { set }) => intersect(rest, set), [INT64]) ?? [];
  return left.slice(0, MAX_SAMPLES).flatMap(([first, last]) => [`${first}`, `${last}`]);
}

/** Returns the addresses that the literals leave. */
function allowedAddresses(literals: readonly StringLiteral[], universe: Universe): IntSet {
  return literals.map(addressesOf).reduce(intersect, isAddress(universe) ? [V4, V6] : ANY_STRING);
}

/** Returns the positions of literals about addresses that contradict each other. */
function addressesAlone(literals: readonly StringLiteral[], universe: Universe): readonly number[] | undefined {
  const positions = literals.flatMap((one, at) => (one.kind === 'addresses' ? [at] : []));
  const sets = positions.map(at => addressesOf(literals[at]!));
  const used = new Set<number>();
  for (const range of isAddress(universe) ? [V4, V6] : ANY_STRING) {
    const core = emptyTogether(sets, range);
    if (core === undefined) return undefined;
    for (const at of core) used.add(positions[at]!);
  }
  return [...used];
}

function addressesOf(literal: StringLiteral): IntSet {
  return literal.kind === 'addresses' ? literal.set : ANY_STRING;
}

/** The key of the language of all addresses. */
export const ADDRESS_KEY = 'address';

/** A part of the product, and the positions of the literals that it stands for. */
interface Source {
  readonly part: Part;
  readonly positions: readonly number[];
  /** The only literal that it stands for. */
  readonly literal?: Extract<StringLiteral, { readonly kind: 'language' }>;
  /** True if every string can be continued so that the part accepts it and whatever follows. */
  readonly isGoal?: boolean;
}

function sourcesOf(literals: readonly StringLiteral[], { language }: Universe): readonly Source[] {
  const merged = new Set<number>();
  const found: Source[] = [];
  if (language !== undefined && language.key !== ADDRESS_KEY) {
    const part = partOf(language, false);
    if (part !== undefined) found.push({ part, positions: [] });
  }
  for (const kind of ['words', 'prefixes'] as const) {
    const group = literals.flatMap((one, at) => {
      const texts = one.kind === 'language' && one.isNegated ? one.language.definition[kind] : undefined;
      return texts === undefined ? [] : [{ at, texts }];
    });
    if (group.length < MERGED_FROM) continue;
    for (const { at } of group) merged.add(at);
    const texts = group.flatMap(one => one.texts);
    found.push({ part: excluding(kind, texts), positions: group.map(one => one.at) });
  }
  literals.forEach((literal, at) => {
    if (literal.kind !== 'language' || merged.has(at)) return;
    const { language, isNegated } = literal;
    const part = partOf(language, isNegated);
    if (part === undefined) return;
    const isGoal = canAlwaysBeReached(language.minimal(isNegated), isNegated);
    found.push({ part, positions: [at], isGoal, literal });
  });
  return found;
}

/** From this number on, excluded words share one automaton. */
const MERGED_FROM = 3;

/** Returns a part that accepts all strings but these, or but those that start with one of these. */
function excluding(kind: 'words' | 'prefixes', texts: readonly string[]): Part {
  const { cuts, start, next, accepts } = kind === 'words' ? oneOf(texts) : startsWith(texts);
  const isDead = (state: number) => kind === 'prefixes' && accepts(state);
  return {
    cuts,
    start,
    next: (state, point) => [next(state, point)],
    accepts: state => !accepts(state),
    cost: 1,
    distance: state => (isDead(state) ? Number.POSITIVE_INFINITY : accepts(state) ? 1 : 0),
    // Outside of the tree of the words.
    isSettled: state => state < 0,
  };
}

/** Returns true for what can be reached from everywhere and cannot be left, such as the strings that contain a word. */
function canAlwaysBeReached(automaton: Automaton | undefined, isNegated: boolean): boolean {
  if (automaton === undefined || automaton.size > MAX_GOAL) return false;
  const [toEnd, away] = isNegated ? [automaton.toReject, automaton.toAccept] : [automaton.toAccept, automaton.toReject];
  return toEnd.every((distance, state) => Number.isFinite(distance) && (distance > 0 || !Number.isFinite(away[state])));
}

const MAX_GOAL = 200;

/** Minimal automata first; of larger ones only what the search reaches. */
function partOf(language: Language, isNegated: boolean): Part | undefined {
  const minimal = language.minimal(isNegated);
  if (minimal !== undefined) return automatonPart(minimal, isNegated);
  const positions = isNegated ? undefined : language.positions();
  if (positions !== undefined) return positionsPart(positions);
  const lazy = language.lazy(isNegated);
  return lazy && lazyPart(lazy, isNegated);
}

function addressSource(literals: readonly StringLiteral[], universe: Universe, mayBeV6: boolean): Source {
  const positions = literals.flatMap((one, at) => (one.kind === 'addresses' ? [at] : []));
  const set = allowedAddresses(literals, universe);
  const lazy = addressAutomaton(set, mayBeV6 && intersect(set, [V6]).length > 0);
  const automaton = materialize(lazy);
  return { part: automaton === undefined ? lazyPart(lazy, false) : automatonPart(automaton, false), positions };
}

// Sets of strings, by what defines them: words, prefixes, patterns, sizes, numbers.

import { EvaluationError } from '@tollgate/cel';
import { compareStrings, compilePattern, stringToDouble } from '@tollgate/cel/tooling';
import { Budget } from '../logic/budget.ts';
import {
  type Automaton,
  acceptsString,
  commonPrefixOf,
  type LazyAutomaton,
  materialize,
  mergeCuts,
} from './automaton.ts';
import { doubleAt, type IntRange, type IntSet, includes, keyOf, positionOf } from './int-set.ts';
import { before, codePointsOf, contains, endsWith, lengths, oneOf, startsWith } from './literal-automata.ts';
import { doubleAutomaton, integerAutomaton } from './number-automata.ts';
import {
  type PatternProgram,
  type Positions,
  patternAutomaton,
  patternPositions,
  patternProgram,
} from './pattern-automaton.ts';
import { automatonPart, findString } from './product.ts';

/** How a language is given. */
interface LanguageDefinition {
  /** Equal for equal languages. */
  readonly key: string;
  /** Returns true if a string belongs to it, as an evaluation would. */
  readonly test: (text: string) => boolean;
  /**
   * Builds its automaton; undefined if there is none.
   * @param isComplement whether what the automaton cannot tell counts as outside instead of inside
   */
  readonly automaton?: (isComplement: boolean) => LazyAutomaton | undefined;
  /** Builds an automaton with several ways to go, which is never large. */
  readonly positions?: () => Positions | undefined;
  /** True if some strings do not tell whether they belong to it: the test says no, and its automata count them as either. */
  readonly isPartial?: boolean;
  /** Strings that are likely to belong to it, or barely not to. */
  readonly samples: readonly string[];
  /** If it is exactly these strings, or exactly the strings that start with them. */
  readonly words?: readonly string[];
  readonly prefixes?: readonly string[];
  /** If it is exactly the strings that end with it, or exactly those that contain it. */
  readonly suffix?: string;
  readonly part?: string;
  /** If it is exactly the strings that come before it. */
  readonly before?: string;
  /** If it is exactly the strings that parse as one of these integers. */
  readonly integers?: IntSet;
  /** If it is exactly the strings that parse as a double at one of these positions. */
  readonly doubles?: IntSet;
}

/** A set of strings. Automata are built when they are first needed. */
export class Language {
  readonly definition: LanguageDefinition;
  readonly #minimal: (Automaton | null | undefined)[] = [undefined, undefined];
  readonly #lazy: (LazyAutomaton | null | undefined)[] = [undefined, undefined];
  #positions: Positions | null | undefined;
  #commonPrefix: string | undefined;
  #witness: string | null | undefined;
  /** By the key of the other language. */
  readonly #within = new Map<string, boolean>();

  constructor(definition: LanguageDefinition) {
    this.definition = definition;
  }

  get key(): string {
    return this.definition.key;
  }

  test(text: string): boolean {
    return this.definition.test(text);
  }

  /** Returns the minimal automaton; undefined if it is too large or there is none. */
  minimal(isComplement: boolean): Automaton | undefined {
    const at = Number(isComplement);
    if (this.#minimal[at] === undefined) {
      const lazy = this.lazy(isComplement);
      this.#minimal[at] = (lazy && materialize(lazy)) ?? null;
    }
    return this.#minimal[at] ?? undefined;
  }

  /** Returns the automaton as far as it is explored; undefined if there is none. */
  lazy(isComplement: boolean): LazyAutomaton | undefined {
    const at = Number(isComplement);
    if (this.#lazy[at] === undefined) this.#lazy[at] = this.definition.automaton?.(isComplement) ?? null;
    return this.#lazy[at] ?? undefined;
  }

  /** Returns what all its strings begin with; empty if its automaton is too large to tell. */
  commonPrefix(): string {
    if (this.#commonPrefix === undefined) {
      const { suffix, part } = this.definition;
      const automaton = (suffix ?? part) === undefined ? this.minimal(false) : undefined;
      this.#commonPrefix = automaton === undefined ? '' : commonPrefixOf(automaton);
    }
    return this.#commonPrefix;
  }

  /** Returns its most readable string; undefined if its automaton is too large to find one, or if it has none. */
  witness(): string | undefined {
    if (this.#witness === undefined) {
      const automaton = this.minimal(false);
      const found = automaton && findString([automatonPart(automaton, false)], new Budget(WITNESS_UNITS));
      this.#witness = found?.kind === 'string' ? found.text : null;
    }
    return this.#witness ?? undefined;
  }

  /** Returns true if all its strings certainly belong to another language, and false if some may not or that takes too long to tell. */
  isWithin(other: Language, budget: Budget): boolean {
    const known = this.#within.get(other.key);
    if (known !== undefined) return known;
    const witness = this.witness();
    if (witness === undefined || !other.test(witness)) return false;
    const [inner, outer] = [this.minimal(false), other.minimal(true)];
    if (inner === undefined || outer === undefined) return false;
    const found = findString([automatonPart(inner, false), automatonPart(outer, true)], budget);
    if (found.kind !== 'open') this.#within.set(other.key, found.kind === 'empty');
    return found.kind === 'empty';
  }

  positions(): Positions | undefined {
    if (this.#positions === undefined) this.#positions = this.definition.positions?.() ?? null;
    return this.#positions ?? undefined;
  }
}

/** What looking for a string costs is bounded by the size of the automaton. */
const WITNESS_UNITS = 10_000;

type Definition = Omit<LanguageDefinition, 'key'>;

/** Returns the language with a key, so that equal languages are one object. */
export type Intern = (key: string, make: () => Definition) => Language;

/** The strings of a list. */
export function wordsLanguage(intern: Intern, texts: readonly string[]): Language {
  const words = [...new Set(texts)].sort();
  const set = new Set(words);
  return intern(`words:${JSON.stringify(words)}`, () => ({
    test: text => set.has(text),
    automaton: () => oneOf(words),
    samples: texts,
    words,
  }));
}

/** The strings that start with a string. */
export function prefixLanguage(intern: Intern, prefix: string): Language {
  return intern(`prefix:${prefix}`, () => ({
    test: text => text.startsWith(prefix),
    automaton: () => startsWith([prefix]),
    samples: [prefix, `${prefix}a`, `${prefix}/`],
    prefixes: [prefix],
  }));
}

/** The strings that end with a string. */
export function suffixLanguage(intern: Intern, suffix: string): Language {
  return intern(`suffix:${suffix}`, () => ({
    test: text => text.endsWith(suffix),
    automaton: () => endsWith(suffix),
    samples: [suffix, `a${suffix}`, `/${suffix}`],
    suffix,
  }));
}

/** The strings that contain a string. */
export function partLanguage(intern: Intern, part: string): Language {
  return intern(`part:${part}`, () => ({
    test: text => text.includes(part),
    automaton: () => contains(part),
    samples: [part, `/${part}`],
    part,
  }));
}

/** The strings in which an RE2 pattern matches; undefined if the pattern is invalid. */
export function patternLanguage(intern: Intern, pattern: string): Language | undefined {
  const compiled = compilePattern(pattern);
  if (compiled instanceof EvaluationError) return undefined;
  return intern(`pattern:${pattern}`, () => {
    // Tests of strings suffice for most questions: they need no automaton, and thus not RE2.
    let known: { readonly program: PatternProgram | undefined } | undefined;
    const program = () => {
      known ??= { program: patternProgram(pattern) };
      return known.program;
    };
    return {
      test: compiled.test,
      automaton: () => {
        const own = program();
        return own && patternAutomaton(own);
      },
      positions: () => {
        const own = program();
        return own && patternPositions(own);
      },
      samples: [],
    };
  });
}

/** The strings with a number of characters in the set. */
export function sizeLanguage(intern: Intern, set: IntSet): Language {
  const last = set.flat().reduce((most, one) => (one < MAX_LENGTH && one > most ? one : most), 0n);
  return intern(`size:${keyOf(set)}`, () => ({
    test: text => includes(set, BigInt(codePointsOf(text).length)),
    automaton: () =>
      isCountable(set) ? lengths(length => includes(set, BigInt(length)), Number(last) + 1) : undefined,
    samples: [],
  }));
}

/** Longer strings do not occur in traffic that anyone wants to see. */
const MAX_LENGTH = 1500n;

/** Returns true if all strings longer than the bound are treated alike. */
function isCountable(set: IntSet): boolean {
  return set.every(([first, last]) => first < MAX_LENGTH && (last < MAX_LENGTH || last >= 2n ** 62n));
}

/** The strings that come before another in the order of code points. */
export function beforeLanguage(intern: Intern, text: string): Language {
  return intern(`before:${text}`, () => ({
    test: other => compareStrings(other, text) < 0,
    automaton: () => before(text),
    samples: [],
    before: text,
  }));
}

/** The strings that parse as an integer in the set. */
export function integerLanguage(intern: Intern, set: IntSet): Language {
  return intern(`int:${keyOf(set)}`, () => ({
    test: text => INTEGER.test(text) && includes(set, BigInt(text.replace('+', ''))),
    automaton: isComplement => integerAutomaton(set, isComplement),
    samples: set.flatMap(([first, last]) => [`${first}`, `${last}`]),
    integers: set,
  }));
}

const INTEGER = /^[+-]?[0-9]+$/;

/** The strings that parse as a double whose position is in the set. */
export function doubleLanguage(intern: Intern, set: IntSet): Language {
  return intern(`double:${keyOf(set)}`, () => ({
    test: text => {
      const value = stringToDouble(text);
      return typeof value === 'number' && includes(set, positionOf(value));
    },
    automaton: isComplement => doubleAutomaton(set, isComplement),
    samples: set.flatMap(samplesOf),
    doubles: set,
  }));
}

/** Returns numbers in or next to a range of positions, whole numbers first. */
function samplesOf([first, last]: IntRange): readonly string[] {
  const [low, high] = [doubleAt(first), doubleAt(last)];
  const middle = (low + high) / 2;
  const found = [
    Math.ceil(low),
    Math.floor(low) + 1,
    Math.floor(high),
    Math.ceil(high) - 1,
    Math.round(middle),
    middle,
  ];
  return [...found, low, high].filter(Number.isFinite).map(String);
}

/** What is outside of a language. */
export function complementLanguage(intern: Intern, language: Language): Language {
  return intern(`not:${language.key}`, () => ({
    test: text => !language.test(text),
    automaton: isComplement => {
      const inner = language.lazy(!isComplement);
      return inner && { ...inner, accepts: state => !inner.accepts(state) };
    },
    samples: [],
  }));
}

/** What belongs to all of several languages. */
export function intersectionLanguage(intern: Intern, languages: readonly Language[]): Language {
  return intern(`all:${JSON.stringify(languages.map(one => one.key))}`, () => ({
    test: text => languages.every(one => one.test(text)),
    automaton: isComplement => {
      const parts = languages.map(one => one.lazy(isComplement));
      return parts.every(part => part !== undefined) ? intersectionOf(parts) : undefined;
    },
    samples: languages.flatMap(one => one.definition.samples),
  }));
}

/**
 * Returns the ways to cut the strings of a language in two: for each state of its automaton, the strings that lead to it and those that lead on
 * from it to acceptance. Every string leads to exactly one. Undefined if the automaton is large, or does not tell what all strings are.
 */
export function halvesOf(intern: Intern, language: Language): readonly (readonly [Language, Language])[] | undefined {
  const [inside, outside] = [language.minimal(false), language.minimal(true)];
  if (inside === undefined || outside === undefined || inside.size > MAX_HALVES) return undefined;
  if (language.definition.isPartial === true || !areEqual(inside, outside)) return undefined;
  const { cuts, next, start, accepts } = inside;
  return Array.from({ length: inside.size }, (_, at) => {
    const before = { cuts, next, start, accepts: (state: number) => state === at };
    const after = { cuts, next, start: at, accepts };
    return [
      intern(`to ${at}:${language.key}`, () => definitionOf(before)),
      intern(`from ${at}:${language.key}`, () => definitionOf(after)),
    ];
  });
}

const MAX_HALVES = 24;

function definitionOf(automaton: LazyAutomaton): Definition {
  return { test: text => acceptsString(automaton, text), automaton: () => automaton, samples: [] };
}

/** Returns true if two automata accept the same strings. */
function areEqual(one: Automaton, other: Automaton): boolean {
  const ways = [
    [one, other],
    [other, one],
  ] as const;
  return ways.every(([inner, outer]) => {
    const found = findString([automatonPart(inner, false), automatonPart(outer, true)], new Budget(WITNESS_UNITS));
    return found.kind === 'empty';
  });
}

function intersectionOf(parts: readonly LazyAutomaton[]): LazyAutomaton {
  const tuples: (readonly number[])[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (tuple: readonly number[]): number => {
    const key = tuple.join();
    let number = numbers.get(key);
    if (number === undefined) {
      number = tuples.push(tuple) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  return {
    cuts: mergeCuts(parts.map(part => part.cuts)),
    start: numberOf(parts.map(part => part.start)),
    next: (state, point) => numberOf(tuples[state]!.map((own, at) => parts[at]!.next(own, point))),
    accepts: state => tuples[state]!.every((own, at) => parts[at]!.accepts(own)),
  };
}

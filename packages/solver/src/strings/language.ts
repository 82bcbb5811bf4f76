import { Budget } from '../logic/budget.ts';
import type { IntSet } from '../values/int-set.ts';
import { type Automaton, commonPrefixOf, type LazyAutomaton, materialize } from './automaton.ts';
import type { Positions } from './pattern-automaton.ts';
import { automatonPart, findString } from './product.ts';

/** How a language is given. */
export interface LanguageDefinition {
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

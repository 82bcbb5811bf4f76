// Lists for which literals hold: of strings, and of elements of any kind.

import { type Budget, OUT_OF_BUDGET } from '../logic/budget.ts';
import { complement, emptyTogether, INT64, type IntSet, includes, intersect } from '../values/int-set.ts';
import type { Language } from '../values/language.ts';
import { type CellAnswer, NOT_MODELLED, shrink } from './integers.ts';
import { decideStrings, type StringLiteral } from './strings.ts';
import type { Universe } from './vocabulary.ts';

/** A statement about a list of strings. */
export type ListLiteral =
  | SizeLiteral
  /** Holds for lists that are too short. */
  | { readonly kind: 'element'; readonly index: number; readonly language: Language; readonly isNegated: boolean }
  /** Some element belongs to the language; negated: none does. */
  | { readonly kind: 'some'; readonly language: Language; readonly isNegated: boolean };

/** Looks for a list for which all literals hold, the shortest first. `universe` describes its elements. */
export function decideLists(
  literals: readonly ListLiteral[],
  universe: Universe,
  budget: Budget,
): CellAnswer<readonly string[]> {
  const statement = (language: Language, isNegated: boolean): StringLiteral => ({
    kind: 'language',
    language,
    isNegated,
  });
  const elements: Elements<string, StringLiteral> = {
    negated: one => (one.kind === 'language' ? statement(one.language, !one.isNegated) : one),
    isTrue: (one, text) => one.kind === 'language' && one.language.test(text) !== one.isNegated,
    decide: all => decideStrings(all, universe, budget),
  };
  const stated = literals.map((one): ElementsLiteral<StringLiteral> => {
    if (one.kind === 'size') return one;
    return { ...one, test: statement(one.language, false) };
  });
  return decideElements(stated, elements);
}

/** The number of elements of a list. */
interface SizeLiteral {
  readonly kind: 'size';
  readonly set: IntSet;
}

/** A statement about a list, whose elements tests are about. */
export type ElementsLiteral<Test> =
  | SizeLiteral
  /** Holds for lists that are too short, negated or not. */
  | { readonly kind: 'element'; readonly index: number; readonly test: Test; readonly isNegated: boolean }
  /** Some element passes the test; negated: none does. */
  | { readonly kind: 'some'; readonly test: Test; readonly isNegated: boolean }
  /** The first element that passes the filter passes the test, too; negated: there is none, or it does not. */
  | { readonly kind: 'first'; readonly filter: Test; readonly test: Test; readonly isNegated: boolean };

/** What the elements of a list are. */
export interface Elements<Value, Test> {
  readonly negated: (test: Test) => Test;
  readonly isTrue: (test: Test, value: Value) => boolean;
  /** Looks for an element that passes all tests. */
  readonly decide: (tests: readonly Test[]) => CellAnswer<Value>;
}

/** Looks for a list for which all literals hold, the shortest first. */
export function decideElements<Value, Test>(
  literals: readonly ElementsLiteral<Test>[],
  given: Elements<Value, Test>,
): CellAnswer<readonly Value[]> {
  const elements = remembering(given);
  const alone = impossibleElement(literals, elements);
  if (alone !== undefined) return { kind: 'conflict', positions: alone };
  const answer = new ElementsSearch(literals, elements).run();
  if (answer.kind !== 'conflict') return answer;
  const isConflict = (positions: readonly number[]) => {
    const fewer = positions.map(at => literals[at]!);
    return new ElementsSearch(fewer, elements).run().kind === 'conflict';
  };
  const sizes = literals.flatMap((one, at) => (one.kind === 'size' ? [{ at, set: one.set }] : []));
  const core = emptyTogether(
    sizes.map(one => one.set),
    [0n, INT64[1]],
  );
  if (core !== undefined) return { kind: 'conflict', positions: core.map(at => sizes[at]!.at) };
  return { kind: 'conflict', positions: shrink(answer.positions, isConflict) };
}

/** Returns elements that are decided once: lists of several lengths have the same elements to look for. */
function remembering<Value, Test>({ negated, isTrue, decide }: Elements<Value, Test>): Elements<Value, Test> {
  const negations = new Map<Test, Test>();
  const numbers = new Map<Test, number>();
  const answers = new Map<string, CellAnswer<Value>>();
  const numberOf = (test: Test) => {
    const number = numbers.get(test) ?? numbers.size;
    numbers.set(test, number);
    return number;
  };
  return {
    isTrue,
    negated: test => {
      const negation = negations.get(test) ?? negated(test);
      negations.set(test, negation);
      return negation;
    },
    decide: tests => {
      const key = tests.map(numberOf).join();
      const answer = answers.get(key) ?? decide(tests);
      answers.set(key, answer);
      return answer;
    },
  };
}

/**
 * Returns the positions of a test that some element passes and of those that no element passes, if they contradict each other: then the
 * number of elements does not matter.
 */
function impossibleElement<Value, Test>(
  literals: readonly ElementsLiteral<Test>[],
  { negated, decide }: Elements<Value, Test>,
): readonly number[] | undefined {
  const some = literals.flatMap((one, at) => (one.kind === 'some' ? [{ ...one, at }] : []));
  const none = some.filter(({ isNegated }) => isNegated);
  for (const wanted of some) {
    if (wanted.isNegated) continue;
    const all = [wanted, ...none];
    const testsAt = (positions: readonly number[]) =>
      positions.map(at => (at === 0 ? wanted.test : negated(all[at]!.test)));
    const answer = decide(testsAt([...all.keys()]));
    if (answer.kind !== 'conflict') continue;
    // Without the element, there may be none.
    const others = answer.positions.filter(at => at > 0);
    const needed = shrink(others, few => decide(testsAt([0, ...few])).kind === 'conflict');
    return [0, ...needed].map(at => all[at]!.at).sort((a, b) => a - b);
  }
  return undefined;
}

type Of<Test, Kind> = Extract<ElementsLiteral<Test>, { readonly kind: Kind }>;

class ElementsSearch<Value, Test> {
  readonly #literals: readonly ElementsLiteral<Test>[];
  readonly #elements: Elements<Value, Test>;
  readonly #forAll: readonly Test[];
  readonly #wanted: readonly Test[];
  readonly #firsts: readonly Of<Test, 'first'>[];
  #reason: string | undefined;
  #steps = 0;

  constructor(literals: readonly ElementsLiteral<Test>[], elements: Elements<Value, Test>) {
    this.#literals = literals;
    this.#elements = elements;
    const some = literals.filter(one => one.kind === 'some');
    this.#forAll = some.filter(one => one.isNegated).map(({ test }) => elements.negated(test));
    this.#wanted = some.filter(one => !one.isNegated).map(({ test }) => test);
    this.#firsts = literals.filter(one => one.kind === 'first');
  }

  run(): CellAnswer<readonly Value[]> {
    const sizes = this.#sizes();
    for (const size of sizes) {
      const found = this.#place(this.#slots(size), this.#firsts);
      if (found !== undefined) return { kind: 'value', value: found };
    }
    const spread = this.#spread(sizes.at(-1) ?? 0);
    if (spread !== undefined) return { kind: 'value', value: spread };
    if (this.#reason !== undefined) return { kind: 'unknown', reason: this.#reason };
    return { kind: 'conflict', positions: this.#literals.map((_, at) => at) };
  }

  /** Returns the lengths worth trying: elements beyond those that literals need change nothing. */
  #sizes(): readonly number[] {
    const set = this.#literals.reduce<IntSet>(
      (left, one) => (one.kind === 'size' ? intersect(left, one.set) : left),
      [[0n, INT64[1]]],
    );
    const named = this.#literals.map(one => (one.kind === 'element' ? one.index + 1 : 0));
    const enough = Math.max(0, ...named) + this.#wanted.length + this.#firsts.length;
    const sizes = Array.from({ length: enough + 1 }, (_, size) => size).filter(size => includes(set, BigInt(size)));
    const longer = intersect(set, complement([[0n, BigInt(enough)]], [0n, INT64[1]]))[0]?.[0];
    if (longer === undefined) return sizes;
    if (longer <= MAX_SIZE) return [...sizes, Number(longer)];
    this.#reason = NOT_MODELLED;
    return sizes;
  }

  #slots(size: number): readonly (readonly Test[])[] {
    return Array.from({ length: size }, (_, at) => this.#slot(at));
  }

  /** Gives each wanted test an element of its own, which are the easiest to decide, where the search has left something open. */
  #spread(size: number): readonly Value[] | undefined {
    if (this.#reason === undefined || this.#firsts.length > 0) return undefined;
    const slots = this.#slots(size);
    const rest = size - this.#wanted.length;
    if (rest < 0) return undefined;
    const values = slots.map((slot, at) => this.#value(at < rest ? slot : [...slot, this.#wanted[at - rest]!]));
    return values.every(value => value !== undefined) ? values : undefined;
  }

  #slot(index: number): readonly Test[] {
    const own = this.#literals.flatMap(one =>
      one.kind === 'element' && one.index === index ? [this.#signed(one.test, one.isNegated)] : [],
    );
    return [...own, ...this.#forAll];
  }

  #signed(test: Test, isNegated: boolean): Test {
    return isNegated ? this.#elements.negated(test) : test;
  }

  /** Decides which element is the first that passes each filter. */
  #place(
    slots: readonly (readonly Test[])[],
    [first, ...others]: readonly Of<Test, 'first'>[],
  ): readonly Value[] | undefined {
    if (first === undefined) return this.#fill(slots, this.#wanted);
    const { negated } = this.#elements;
    const { filter, test, isNegated } = first;
    const kept = [filter, this.#signed(test, isNegated)];
    for (let at = isNegated ? -1 : 0; at < slots.length; at++) {
      const last = at < 0 ? slots.length : at;
      const placed = slots.map((slot, index) => {
        if (index === at) return [...slot, ...kept];
        return index < last ? [...slot, negated(filter)] : slot;
      });
      const found = this.#place(placed, others);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Gives each wanted test an element; elements may serve several. */
  #fill(slots: readonly (readonly Test[])[], wanted: readonly Test[]): readonly Value[] | undefined {
    if (++this.#steps > MAX_STEPS) {
      this.#reason ??= OUT_OF_BUDGET;
      return undefined;
    }
    const values = slots.map(slot => this.#value(slot));
    if (!values.every(value => value !== undefined)) return undefined;
    const first = wanted.find(one => !values.some(value => this.#elements.isTrue(one, value)));
    if (first === undefined) return values;
    for (let at = 0; at < slots.length; at++) {
      const found = this.#fill(
        slots.with(at, [...slots[at]!, first]),
        wanted.filter(one => one !== first),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #value(slot: readonly Test[]): Value | undefined {
    const answer = this.#elements.decide(slot);
    if (answer.kind === 'unknown') this.#reason ??= answer.reason;
    return answer.kind === 'value' ? answer.value : undefined;
  }
}

const MAX_SIZE = 200n;
/** Ways to place wanted tests that are tried: of n tests in n elements, there are n to the power of n. */
const MAX_STEPS = 500;

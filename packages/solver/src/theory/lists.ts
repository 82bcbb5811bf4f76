import type { Budget } from '../logic/budget.ts';
import type { Language } from '../strings/language.ts';
import { complement, emptyTogether, INT64, type IntSet, includes, intersect } from '../values/int-set.ts';
import { type CellAnswer, NOT_MODELLED, shrink } from './cell-answer.ts';
import { decideStrings, type StringLiteral } from './strings.ts';
import type { Universe } from './vocabulary.ts';

/** A statement about a list of strings. */
export type ListLiteral =
  | { readonly kind: 'size'; readonly set: IntSet }
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
  const answer = new ListSearch(literals, universe, budget).run();
  if (answer.kind !== 'conflict') return answer;
  const isConflict = (positions: readonly number[]) =>
    new ListSearch(
      positions.map(at => literals[at]!),
      universe,
      budget,
    ).run().kind === 'conflict';
  const sizes = literals.flatMap((one, at) => (one.kind === 'size' ? [{ at, set: one.set }] : []));
  const core = emptyTogether(
    sizes.map(one => one.set),
    [0n, INT64[1]],
  );
  if (core !== undefined) return { kind: 'conflict', positions: core.map(at => sizes[at]!.at) };
  return { kind: 'conflict', positions: shrink(answer.positions, isConflict) };
}

class ListSearch {
  readonly #literals: readonly ListLiteral[];
  readonly #universe: Universe;
  readonly #budget: Budget;
  readonly #forAll: readonly StringLiteral[];
  readonly #wanted: readonly StringLiteral[];
  #reason: string | undefined;

  constructor(literals: readonly ListLiteral[], universe: Universe, budget: Budget) {
    this.#literals = literals;
    this.#universe = universe;
    this.#budget = budget;
    const some = literals.filter(one => one.kind === 'some');
    this.#forAll = some
      .filter(one => one.isNegated)
      .map(({ language }) => ({ kind: 'language', language, isNegated: true }));
    this.#wanted = some
      .filter(one => !one.isNegated)
      .map(({ language }) => ({ kind: 'language', language, isNegated: false }));
  }

  run(): CellAnswer<readonly string[]> {
    for (const size of this.#sizes()) {
      const slots = Array.from({ length: size }, (_, at) => this.#slot(at));
      const found = this.#fill(slots, this.#wanted);
      if (found !== undefined) return { kind: 'value', value: found };
    }
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
    const enough = Math.max(0, ...named) + this.#wanted.length;
    const sizes = Array.from({ length: enough + 1 }, (_, size) => size).filter(size => includes(set, BigInt(size)));
    const longer = intersect(set, complement([[0n, BigInt(enough)]], [0n, INT64[1]]))[0]?.[0];
    if (longer === undefined) return sizes;
    if (longer <= MAX_SIZE) return [...sizes, Number(longer)];
    this.#reason = NOT_MODELLED;
    return sizes;
  }

  #slot(index: number): readonly StringLiteral[] {
    const own = this.#literals.flatMap((one): readonly StringLiteral[] =>
      one.kind === 'element' && one.index === index
        ? [{ kind: 'language', language: one.language, isNegated: one.isNegated }]
        : [],
    );
    return [...own, ...this.#forAll];
  }

  /** Gives each wanted literal an element; elements may serve several. */
  #fill(slots: readonly (readonly StringLiteral[])[], wanted: readonly StringLiteral[]): readonly string[] | undefined {
    const values = slots.map(slot => this.#value(slot));
    if (!values.every(value => value !== undefined)) return undefined;
    const open = wanted.filter(one => !values.some(value => one.kind === 'language' && one.language.test(value)));
    const [first] = open;
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

  #value(slot: readonly StringLiteral[]): string | undefined {
    const answer = decideStrings(slot, this.#universe, this.#budget);
    if (answer.kind === 'unknown') this.#reason ??= answer.reason;
    return answer.kind === 'value' ? answer.value : undefined;
  }
}

const MAX_SIZE = 200n;

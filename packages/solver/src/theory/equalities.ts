// Strings for which literals hold that say which of them are equal.

import type { Budget } from '../logic/budget.ts';
import type { Signal } from '../logic/formula.ts';
import { INT64, type IntSet, intersect } from '../values/int-set.ts';
import { wordsLanguage } from '../values/language.ts';
import { listLiteral, type Stated, stringLiteral } from './cell-literals.ts';
import { type CellAnswer, NOT_MODELLED, shrink } from './integers.ts';
import { decideLists, type ListLiteral } from './lists.ts';
import { ADDRESS_KEY, decideStrings, type StringLiteral } from './strings.ts';
import { namedParts } from './url-relation.ts';
import {
  type Cell,
  type CellValue,
  isRelated,
  type Slot,
  slotKey,
  type Universe,
  type Vocabulary,
} from './vocabulary.ts';

/** Whether literals about several cells hold together. */
export type RelationAnswer =
  | { readonly kind: 'values'; readonly values: ReadonlyMap<Cell, CellValue> }
  | { readonly kind: 'conflict'; readonly core: readonly Signal[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Literals about which strings are equal, and those about their cells. */
export interface EqualityQuestion {
  readonly related: readonly Signal[];
  readonly groups: ReadonlyMap<Cell, readonly Signal[]>;
  readonly vocabulary: Vocabulary;
  readonly budget: Budget;
}

/** Looks for strings for which all literals hold: equal strings share one value. */
export function decideEqualities(question: EqualityQuestion): RelationAnswer {
  // Elements that may be missing need not differ from anything, but nothing else may be left for them.
  const assuming = new EqualitySearch(question, true);
  if (assuming.assumes) {
    const likely = assuming.run();
    if (likely.kind === 'values') return likely;
  }
  const answer = new EqualitySearch(question, false).run();
  if (answer.kind === 'values' && !areUnequal(question, answer.values))
    return { kind: 'unknown', reason: NOT_MODELLED };
  if (answer.kind !== 'conflict') return answer;
  const isConflict = (positions: readonly number[]) => {
    const core = positions.map(at => answer.core[at]!);
    return new EqualitySearch(restricted(question, new Set(core)), false).run().kind === 'conflict';
  };
  return { kind: 'conflict', core: shrink([...answer.core.keys()], isConflict).map(at => answer.core[at]!) };
}

/** Returns true if strings differ as the literals say. */
function areUnequal({ related, vocabulary }: EqualityQuestion, values: ReadonlyMap<Cell, CellValue>): boolean {
  return related.every(literal => {
    const meaning = vocabulary.meaningOf(literal);
    return literal > 0 || meaning.kind !== 'same' || !isRelated(meaning, cell => values.get(cell));
  });
}

function restricted(question: EqualityQuestion, core: ReadonlySet<Signal>): EqualityQuestion {
  const groups = [...question.groups].map(([cell, own]) => [cell, own.filter(one => core.has(one))] as const);
  return { ...question, related: question.related.filter(one => core.has(one)), groups: new Map(groups) };
}

/** What must hold of a string, and the literals that say so. */
interface Statement {
  readonly slot: Slot;
  readonly string: StringLiteral;
  readonly literals: readonly Signal[];
}

class EqualitySearch {
  readonly #question: EqualityQuestion;
  readonly #equal: readonly SameLiteral[];
  readonly #unequal: readonly SameLiteral[];
  readonly #classes: EqualityClasses;

  /** True if it takes it that an element exists that may be missing. */
  readonly assumes: boolean;
  readonly #assumed: ReadonlySet<string>;

  constructor(question: EqualityQuestion, isAssumed: boolean) {
    this.#question = question;
    const all = question.related.map(literal => this.#sameLiteral(literal));
    this.#equal = all.filter(one => one.literal > 0);
    this.#unequal = all.filter(one => one.literal < 0);
    const slots = this.#unequal.flatMap(one => one.slots);
    const existing = slots.filter(slot => this.#existence(slot) !== undefined);
    const likely = isAssumed ? slots.filter(slot => this.#mayExist(slot)) : [];
    this.#classes = new EqualityClasses(this.#equal, [...existing, ...likely]);
    this.#assumed = new Set(likely.filter(slot => !this.#isKnown(slot)).map(slotKey));
    this.assumes = this.#assumed.size > 0;
  }

  #sameLiteral(literal: Signal): SameLiteral {
    const meaning = this.#question.vocabulary.meaningOf(literal);
    const { cell } = meaning;
    if (meaning.kind !== 'same')
      return {
        literal,
        slots: [
          { cell, index: undefined },
          { cell, index: undefined },
        ],
      };
    return { literal, slots: [{ cell, index: meaning.index }, meaning.other] };
  }

  run(): RelationAnswer {
    const missing = this.#missingElement();
    if (missing !== undefined) return missing;
    const hard = this.#unequal.filter(({ slots }) =>
      slots.every(slot => this.#isKnown(slot) || this.#assumed.has(slotKey(slot))),
    );
    for (const { literal, slots } of hard) {
      if (this.#classes.classOf(slots[0]) !== this.#classes.classOf(slots[1])) continue;
      const reasons = slots.flatMap(slot => this.#existence(slot) ?? []);
      return { kind: 'conflict', core: [...new Set([literal, ...this.#classes.linking(slots), ...reasons])] };
    }
    const values: string[] = [];
    for (const members of this.#classes.classes) {
      const answer = this.#ask(members, []);
      if (answer.kind !== 'value') return answer;
      values.push(answer.value);
    }
    const distinct = this.#distinct(values, hard);
    return distinct.kind === 'value' ? this.#complete(distinct.value) : distinct;
  }

  /** Strings exist, and so do elements that equal others. */
  #isKnown(slot: Slot): boolean {
    return this.#classes.isEqualToAny(slot) || this.#existence(slot) !== undefined;
  }

  /** Returns literals that say that a string exists, whether it equals others or not; undefined if they do not. */
  #existence({ cell, index }: Slot): readonly Signal[] | undefined {
    if (index === undefined) return [];
    const { sizes, literals } = this.#sizesOf(cell);
    return sizes.length > 0 && sizes[0]![0] > BigInt(index) ? literals : undefined;
  }

  #mayExist({ cell, index }: Slot): boolean {
    const most = this.#sizesOf(cell).sizes.at(-1)?.[1];
    return index === undefined || (most !== undefined && most > BigInt(index));
  }

  #sizesOf(cell: Cell): { readonly sizes: IntSet; readonly literals: readonly Signal[] } {
    let sizes: IntSet = [[0n, INT64[1]]];
    const literals: Signal[] = [];
    for (const literal of this.#question.groups.get(cell) ?? []) {
      const one = listLiteral(this.#stated(literal));
      if (one.kind === 'size') sizes = intersect(sizes, one.set);
      if (one.kind === 'size') literals.push(literal);
    }
    return { sizes, literals };
  }

  #stated(literal: Signal): Stated {
    return { meaning: this.#question.vocabulary.meaningOf(literal), isNegated: literal < 0 };
  }

  /** Elements that equal others must fit into their lists. */
  #missingElement(): RelationAnswer | undefined {
    const { groups, budget } = this.#question;
    const elements = this.#equal.flatMap(({ literal, slots }) => slots.map(slot => ({ literal, ...slot })));
    for (const cell of new Set(elements.flatMap(one => (one.index === undefined ? [] : [one.cell])))) {
      const own = groups.get(cell) ?? [];
      const here = elements.filter(one => one.cell === cell);
      const wanted = here.map(({ index }) => reaching(index ?? 0));
      const all = [...own.map(literal => listLiteral(this.#stated(literal))), ...wanted];
      const answer = decideLists(all, { preferred: [] }, budget);
      if (answer.kind !== 'conflict') continue;
      const literals = [...own, ...here.map(one => one.literal)];
      return { kind: 'conflict', core: [...new Set(answer.positions.map(at => literals[at]!))] };
    }
    return undefined;
  }

  /** Looks for a string that all members of a class can be. */
  #ask(members: readonly Slot[], excluded: readonly string[]): CoreAnswer<string> {
    const all = this.#askWith(members, members, excluded);
    const strict = members.filter(({ cell }) => !cell.universe.isUsual);
    return all.kind === 'conflict' && strict.length < members.length ? this.#askWith(members, strict, excluded) : all;
  }

  /** @param formed the members that have the form of well-formed traffic */
  #askWith(members: readonly Slot[], formed: readonly Slot[], excluded: readonly string[]): CoreAnswer<string> {
    const { vocabulary, budget } = this.#question;
    const intern = vocabulary.language.bind(vocabulary);
    const statements = [
      ...members.flatMap(slot => this.#statementsAbout(slot)),
      ...formed.flatMap(slot => this.#formOf(slot)),
    ];
    const others: StringLiteral = { kind: 'language', language: wordsLanguage(intern, excluded), isNegated: true };
    const address = formed.find(({ cell }) => cell.universe.language?.key === ADDRESS_KEY);
    const universe: Universe = {
      ...(address?.cell.universe.language && { language: address.cell.universe.language }),
      preferred: formed.flatMap(({ cell }) => cell.universe.preferred),
    };
    const strings = statements.map(one => one.string);
    const answer = decideStrings(excluded.length === 0 ? strings : [...strings, others], universe, budget);
    if (answer.kind !== 'conflict') return answer;
    const needed = answer.positions.flatMap(at => statements[at] ?? []);
    const slots = [...needed.map(one => one.slot), ...(address === undefined ? [] : [address])];
    const literals = [...needed.flatMap(one => one.literals), ...this.#classes.linking(slots)];
    return { kind: 'conflict', core: [...new Set(literals)] };
  }

  #statementsAbout(slot: Slot): readonly Statement[] {
    const own = this.#question.groups.get(slot.cell) ?? [];
    if (slot.index === undefined) {
      const stated = own.map(literal => ({ slot, string: stringLiteral(this.#stated(literal)), literals: [literal] }));
      return [...stated, ...this.#namedBy(slot)];
    }
    const { sizes, literals: sizing } = this.#sizesOf(slot.cell);
    const isOnly = sizes.length > 0 && sizes.at(-1)![1] === 1n;
    return own.flatMap((literal): readonly Statement[] => {
      const one = listLiteral(this.#stated(literal));
      if (one.kind === 'size' || (one.kind === 'element' && one.index !== slot.index)) return [];
      // The only element is the one that is wanted.
      if (one.kind === 'some' && !one.isNegated && !isOnly) return [];
      const { language, isNegated } = one;
      return [{ slot, string: { kind: 'language', language, isNegated }, literals: [literal, ...sizing] }];
    });
  }

  /** A URL that is known says what its parts are. */
  #namedBy(slot: Slot): readonly Statement[] {
    const { groups, vocabulary } = this.#question;
    const named = namedParts(slot.cell, groups, vocabulary);
    if (named === undefined) return [];
    const language = wordsLanguage(vocabulary.language.bind(vocabulary), named.words);
    return [{ slot, string: { kind: 'language', language, isNegated: false }, literals: [named.literal] }];
  }

  #formOf(slot: Slot): readonly Statement[] {
    const { language, domain } = slot.cell.universe;
    const { vocabulary } = this.#question;
    const found = [
      ...(language === undefined || language.key === ADDRESS_KEY ? [] : [language]),
      ...(domain === undefined ? [] : [wordsLanguage(vocabulary.language.bind(vocabulary), domain)]),
    ];
    return found.map(one => ({ slot, string: { kind: 'language', language: one, isNegated: false }, literals: [] }));
  }

  /** Changes values so that those differ that must. */
  #distinct(values: readonly string[], unequal: readonly SameLiteral[]): CoreAnswer<readonly string[]> {
    const pairs = unequal.map(({ slots: [a, b] }): Distinct => [this.#classes.classOf(a), this.#classes.classOf(b)]);
    if (!pairs.some(([a, b]) => values[a] === values[b])) return { kind: 'value', value: values };
    const concerned = [...new Set(pairs.flat())];
    const domains = new Map<number, readonly string[]>();
    for (const at of concerned) {
      const others = new Set(pairs.flatMap(([a, b]) => (a === at ? [b] : b === at ? [a] : [])));
      const found = [values[at]!];
      while (found.length <= others.size) {
        const next = this.#ask(this.#classes.classes[at]!, found);
        if (next.kind === 'unknown') return next;
        if (next.kind === 'conflict') break;
        found.push(next.value);
      }
      domains.set(at, found);
    }
    const chosen = chooseDistinct(domains, pairs);
    if (chosen.kind === 'value')
      return { kind: 'value', value: values.map((value, at) => chosen.value.get(at) ?? value) };
    if (chosen.kind === 'unknown') return { kind: 'unknown', reason: NOT_MODELLED };
    const members = [...chosen.impossible].flatMap(at => this.#classes.classes[at]!);
    const kept = unequal.filter((_, at) => pairs[at]!.every(one => chosen.impossible.has(one)));
    const linking = [...chosen.impossible].flatMap(at => this.#classes.linking(this.#classes.classes[at]!));
    const stated = members.flatMap(slot => [
      ...(this.#question.groups.get(slot.cell) ?? []),
      ...this.#statementsAbout(slot).flatMap(one => one.literals),
    ]);
    return { kind: 'conflict', core: [...new Set([...kept.map(one => one.literal), ...linking, ...stated])] };
  }

  /** Gives cells the values of their classes. */
  #complete(values: readonly string[]): RelationAnswer {
    const { groups, vocabulary, budget } = this.#question;
    const found = new Map<Cell, CellValue>();
    const elements = new Map<Cell, ListLiteral[]>();
    this.#classes.classes.forEach((members, at) => {
      const language = wordsLanguage(vocabulary.language.bind(vocabulary), [values[at]!]);
      for (const { cell, index } of members) {
        if (index === undefined) {
          found.set(cell, values[at]!);
          continue;
        }
        const here: ListLiteral[] = [{ kind: 'element', index, language, isNegated: false }, reaching(index)];
        elements.set(cell, [...(elements.get(cell) ?? []), ...here]);
      }
    });
    for (const { slots } of this.#unequal) {
      for (const { cell, index } of slots) if (index !== undefined && !elements.has(cell)) elements.set(cell, []);
    }
    for (const [cell, wanted] of elements) {
      const own = (groups.get(cell) ?? []).map(literal => listLiteral(this.#stated(literal)));
      const { universe } = cell;
      let answer: CellAnswer<readonly string[]> = decideLists([...own, ...wanted], universe, budget);
      if (answer.kind === 'conflict' && universe.isUsual)
        answer = decideLists([...own, ...wanted], { preferred: [] }, budget);
      // Other strings might do.
      if (answer.kind !== 'value') return { kind: 'unknown', reason: NOT_MODELLED };
      found.set(cell, answer.value);
    }
    return { kind: 'values', values: found };
  }
}

/** Says that a list has an element at an index. */
function reaching(index: number): ListLiteral {
  return { kind: 'size', set: [[BigInt(index) + 1n, INT64[1]]] };
}

type CoreAnswer<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'conflict'; readonly core: readonly Signal[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A literal about whether two strings are equal. */
interface SameLiteral {
  readonly literal: Signal;
  readonly slots: readonly [Slot, Slot];
}

interface Edge {
  readonly to: Slot;
  readonly literal: Signal;
}

/** Strings that are equal to each other, and the literals that say so. */
class EqualityClasses {
  readonly #edges = new Map<string, Edge[]>();
  readonly #classes = new Map<string, number>();
  /** The members of each class. */
  readonly classes: Slot[][] = [];

  /** @param others strings that are in classes, too, of their own if they equal no other */
  constructor(equalities: readonly SameLiteral[], others: readonly Slot[]) {
    for (const {
      literal,
      slots: [a, b],
    } of equalities) {
      this.#add(a, { to: b, literal });
      this.#add(b, { to: a, literal });
    }
    for (const slot of [...equalities.flatMap(one => one.slots), ...others]) {
      if (!this.#classes.has(slotKey(slot))) this.classes.push(this.#collect(slot));
    }
  }

  #add(slot: Slot, edge: Edge): void {
    const key = slotKey(slot);
    const edges = this.#edges.get(key);
    if (edges === undefined) this.#edges.set(key, [edge]);
    else edges.push(edge);
  }

  #collect(start: Slot): Slot[] {
    const at = this.classes.length;
    const members = [start];
    this.#classes.set(slotKey(start), at);
    for (const slot of members) {
      for (const { to } of this.#edgesOf(slot)) {
        if (this.#classes.has(slotKey(to))) continue;
        this.#classes.set(slotKey(to), at);
        members.push(to);
      }
    }
    return members;
  }

  #edgesOf(slot: Slot): readonly Edge[] {
    return this.#edges.get(slotKey(slot)) ?? [];
  }

  classOf(slot: Slot): number {
    return this.#classes.get(slotKey(slot))!;
  }

  /** Returns true if a literal says that it equals another string, so that it exists. */
  isEqualToAny(slot: Slot): boolean {
    return this.#edgesOf(slot).length > 0;
  }

  /** Returns literals from which follows that these members of a class are equal. */
  linking([first, ...others]: readonly Slot[]): readonly Signal[] {
    return [...new Set(others.flatMap(one => this.#path(first!, one)))];
  }

  #path(from: Slot, to: Slot): readonly Signal[] {
    const before = new Map<string, { readonly slot: Slot; readonly literal: Signal }>();
    const open = [from];
    for (const slot of open) {
      for (const edge of this.#edgesOf(slot)) {
        const key = slotKey(edge.to);
        if (before.has(key)) continue;
        before.set(key, { slot, literal: edge.literal });
        open.push(edge.to);
      }
    }
    const found: Signal[] = [];
    for (let at = to; slotKey(at) !== slotKey(from); ) {
      const step = before.get(slotKey(at))!;
      found.push(step.literal);
      at = step.slot;
    }
    return found;
  }
}

/** Two positions whose values must differ. */
type Distinct = readonly [a: number, b: number];

type Choice =
  | { readonly kind: 'value'; readonly value: ReadonlyMap<number, string> }
  /** Positions that have no values that differ as they must. */
  | { readonly kind: 'impossible'; readonly impossible: ReadonlySet<number> }
  | { readonly kind: 'unknown' };

/**
 * Chooses a value for each position. A position with more values than it has neighbours can be chosen last, whatever theirs are; what is left
 * is tried.
 * @param domains all values of a position, or more than it has neighbours
 */
function chooseDistinct(domains: ReadonlyMap<number, readonly string[]>, pairs: readonly Distinct[]): Choice {
  const neighbours = new Map<number, Set<number>>();
  for (const at of domains.keys()) neighbours.set(at, new Set());
  for (const [a, b] of pairs) {
    neighbours.get(a)!.add(b);
    neighbours.get(b)!.add(a);
  }
  const left = new Set(domains.keys());
  const last: number[] = [];
  const isFree = (at: number) => domains.get(at)!.length > [...neighbours.get(at)!].filter(one => left.has(one)).length;
  for (let free = [...left].find(isFree); free !== undefined; free = [...left].find(isFree)) {
    left.delete(free);
    last.push(free);
  }
  const steps = { left: MAX_STEPS };
  const chosen = new Map<number, string>();
  const choose = (positions: readonly number[]): boolean => {
    const [at, ...others] = positions;
    if (at === undefined) return true;
    for (const value of domains.get(at)!) {
      if (steps.left-- <= 0) return false;
      if ([...neighbours.get(at)!].some(one => chosen.get(one) === value)) continue;
      chosen.set(at, value);
      if (choose(others)) return true;
      chosen.delete(at);
    }
    return false;
  };
  if (!choose([...left])) return steps.left <= 0 ? { kind: 'unknown' } : { kind: 'impossible', impossible: left };
  return choose(last.reverse()) ? { kind: 'value', value: chosen } : { kind: 'unknown' };
}

const MAX_STEPS = 20_000;

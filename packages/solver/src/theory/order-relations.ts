// What holds between values that vary: how far numbers and moments are apart, and which string comes before which.

import { compareStrings } from '@tollgate/cel/tooling';
import type { Signal } from '../logic/formula.ts';
import { INTEGERS, intLiteral, USUAL_MOMENT } from './cell-literals.ts';
import type { EqualityQuestion, RelationAnswer } from './equalities.ts';
import { type CellAnswer, leastFrom, NOT_MODELLED, shrink } from './integers.ts';
import { type Cell, holdsFor, type Slot, type Vocabulary } from './vocabulary.ts';

/** Looks for integers, doubles and moments for which all literals about their differences, and about single ones, hold. */
export function decideNumberRelations(question: Omit<EqualityQuestion, 'budget'>): RelationAnswer {
  const answer = new NumberSearch(question).run();
  if (answer.kind !== 'conflict') return answer;
  const isConflict = (positions: readonly number[]) => {
    const core = new Set(positions.map(at => answer.core[at]!));
    const groups = [...question.groups].map(([cell, own]) => [cell, own.filter(one => core.has(one))] as const);
    const related = question.related.filter(one => core.has(one));
    return new NumberSearch({ ...question, related, groups: new Map(groups) }).run().kind === 'conflict';
  };
  return { kind: 'conflict', core: shrink([...answer.core.keys()], isConflict).map(at => answer.core[at]!) };
}

/** The first integer is at most this much more than the second one. */
interface RelatedCells {
  readonly literal: Signal;
  readonly left: Cell;
  readonly right: Cell;
  readonly most: bigint;
}

class NumberSearch {
  readonly #question: Omit<EqualityQuestion, 'budget'>;
  readonly #differences: readonly RelatedCells[];
  readonly #cells: readonly Cell[];

  constructor(question: Omit<EqualityQuestion, 'budget'>) {
    this.#question = question;
    this.#differences = question.related.flatMap(literal => {
      const meaning = question.vocabulary.meaningOf(literal);
      if (meaning.kind !== 'difference') return [];
      const { cell, other, most } = meaning;
      // `!(a - b <= most)` is `b - a <= -most - 1`.
      if (literal < 0) return [{ literal, left: other, right: cell, most: -most - 1n }];
      return [{ literal, left: cell, right: other, most }];
    });
    this.#cells = [...new Set(this.#differences.flatMap(one => [one.left, one.right]))];
  }

  run(): RelationAnswer {
    const differences = this.#differences.map(({ left, right, most }) => ({
      left: this.#cells.indexOf(left),
      right: this.#cells.indexOf(right),
      most,
    }));
    const answer = decideDifferences(
      this.#cells.map(cell => this.#unknown(cell)),
      differences,
    );
    if (answer.kind === 'unknown') return answer;
    if (answer.kind === 'conflict') {
      const own = answer.unknowns.flatMap(at => this.#literalsAbout(this.#cells[at]!));
      return { kind: 'conflict', core: [...answer.differences.map(at => this.#differences[at]!.literal), ...own] };
    }
    const values = new Map(this.#cells.map((cell, at) => [cell, answer.value[at]!]));
    const holds = [...values].every(([cell, value]) =>
      this.#literalsAbout(cell).every(literal => {
        const meaning = this.#question.vocabulary.meaningOf(literal);
        return meaning.kind === 'integers' || meaning.kind === 'residue' || meaning.kind === 'part'
          ? holdsFor(meaning, value) === literal > 0
          : true;
      }),
    );
    return holds ? { kind: 'values', values } : { kind: 'unknown', reason: NOT_MODELLED };
  }

  #literalsAbout(cell: Cell): readonly Signal[] {
    return this.#question.groups.get(cell) ?? [];
  }

  #unknown(cell: Cell): Unknown {
    const { sort, universe } = cell;
    const kind = sort === 'double' || sort === 'time' ? sort : 'int';
    const literals = this.#literalsAbout(cell).flatMap(literal => {
      const meaning = this.#question.vocabulary.meaningOf(literal);
      // Parts of moments are tried afterwards.
      return meaning.kind === 'part' ? [] : [intLiteral({ meaning, isNegated: literal < 0 })];
    });
    const form = universe.integers === undefined || universe.isUsual ? INTEGERS[kind] : universe.integers;
    const usual = kind === 'time' ? USUAL_MOMENT : BigInt(universe.preferred[0] ?? 0);
    return { usual, leastFrom: from => leastFrom(literals, form, from) };
  }
}

/** The first of two integers is at most `most` more than the second one. Both are given by their positions. */
interface Difference {
  readonly left: number;
  readonly right: number;
  readonly most: bigint;
}

/** One of several integers. */
interface Unknown {
  /** Returns the least value that is not less than another one; undefined if there is none. */
  readonly leastFrom: (from: bigint) => bigint | undefined;
  /** From where on values are ordinary. */
  readonly usual: bigint;
}

/** The unknowns and differences that contradict each other, by position, or a value for each unknown. */
type DifferencesAnswer =
  | Exclude<CellAnswer<readonly bigint[]>, { readonly kind: 'conflict' }>
  | { readonly kind: 'conflict'; readonly unknowns: readonly number[]; readonly differences: readonly number[] };

/**
 * Looks for integers for which all differences hold. Wherever two solutions exist, the lesser values of both are a solution, too: so raising
 * each value only as far as a difference or its own set demands finds one if there is any.
 */
function decideDifferences(unknowns: readonly Unknown[], differences: readonly Difference[]): DifferencesAnswer {
  const free = unknowns.map(() => ({ leastFrom: (from: bigint) => from, start: 0n }));
  const rising = raise(free, differences, unknowns.length + 1);
  if (rising.kind === 'rising')
    return { kind: 'conflict', unknowns: [], differences: cycleIn(differences, rising.raisedBy) };
  const usual = raise(
    unknowns.map(({ leastFrom, usual: start }) => ({ leastFrom, start })),
    differences,
    MAX_ROUNDS,
  );
  if (usual.kind === 'value') return usual;
  const all = unknowns.map(({ leastFrom }) => ({ leastFrom, start: -FAR }));
  const answer = raise(all, differences, MAX_ROUNDS);
  if (answer.kind === 'rising') return { kind: 'unknown', reason: NOT_MODELLED };
  return answer.kind === 'value' ? answer : { ...answer, kind: 'conflict' };
}

const FAR = 2n ** 200n;
/** Sets with gaps may take many rounds. */
const MAX_ROUNDS = 2000;

type Raised =
  | { readonly kind: 'value'; readonly value: readonly bigint[] }
  /** An unknown has no value that is large enough, because of these. */
  | { readonly kind: 'stuck'; readonly unknowns: readonly number[]; readonly differences: readonly number[] }
  /** Values rise on, each by the difference of its unknown. */
  | { readonly kind: 'rising'; readonly raisedBy: ReadonlyMap<number, number> };

interface Started extends Pick<Unknown, 'leastFrom'> {
  readonly start: bigint;
}

/** Raises each value from where it starts. */
function raise(unknowns: readonly Started[], differences: readonly Difference[], rounds: number): Raised {
  const values: bigint[] = [];
  for (const [at, { leastFrom, start }] of unknowns.entries()) {
    const value = leastFrom(start);
    if (value === undefined) return { kind: 'stuck', unknowns: [at], differences: [] };
    values.push(value);
  }
  const raisedBy = new Map<number, number>();
  for (let round = 0; round < rounds; round++) {
    let isStable = true;
    for (const [at, { left, right, most }] of differences.entries()) {
      const least = values[left]! - most;
      if (values[right]! >= least) continue;
      isStable = false;
      raisedBy.set(right, at);
      const value = unknowns[right]!.leastFrom(least);
      if (value === undefined) return { kind: 'stuck', ...reasonsFor(right, differences, raisedBy) };
      values[right] = value;
    }
    if (isStable) return { kind: 'value', value: values };
  }
  return { kind: 'rising', raisedBy };
}

/** Follows what raised an unknown, back to one that nothing raised. */
function reasonsFor(start: number, differences: readonly Difference[], raisedBy: ReadonlyMap<number, number>) {
  const unknowns = new Set([start]);
  const lefts = differences.map(one => one.left);
  const used = new Set<number>();
  for (let at = raisedBy.get(start); at !== undefined; at = raisedBy.get(differences[at]!.left)) {
    // Unknowns that raised each other from gap to gap: how it began is lost.
    if (used.has(at)) return { unknowns: [...raisedBy.keys(), ...lefts], differences: [...differences.keys()] };
    used.add(at);
    unknowns.add(differences[at]!.left);
  }
  return { unknowns: [...unknowns], differences: [...used] };
}

/** Returns differences that raise each other. */
function cycleIn(differences: readonly Difference[], raisedBy: ReadonlyMap<number, number>): readonly number[] {
  for (const start of raisedBy.keys()) {
    const path: number[] = [];
    for (let at = raisedBy.get(start); at !== undefined; at = raisedBy.get(differences[at]!.left)) {
      const before = path.indexOf(at);
      if (before >= 0) return path.slice(before);
      path.push(at);
    }
  }
  return [...differences.keys()];
}

// The order of strings that vary: what comes before what, together.

/** One string does not come after another, as a literal says; strings of which one is before the other are different. */
interface Step {
  readonly to: string;
  readonly isStrict: boolean;
  /** None for two constants, whose order is known. */
  readonly literals: readonly Signal[];
}

/**
 * Returns literals that order strings in a circle, so that one would come before itself; undefined if there is no such circle. A string that does
 * not exist is taken for some string: what depends on its order does not hold without it.
 */
export function circleIn(literals: readonly Signal[], vocabulary: Vocabulary): readonly Signal[] | undefined {
  const ordered = literals.filter(literal => vocabulary.meaningOf(literal).cell.before !== undefined);
  // The order of a single pair and constants alone are decided elsewhere.
  if (ordered.length === 0) return undefined;
  const steps = stepsOf(literals, vocabulary);
  for (const start of steps.keys()) {
    const found = pathFrom(start, steps);
    if (found !== undefined) return found;
  }
  return undefined;
}

function stepsOf(literals: readonly Signal[], vocabulary: Vocabulary): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  const constants = new Set<string>();
  const add = (from: string, step: Step) => {
    const own = steps.get(from);
    if (own === undefined) steps.set(from, [step]);
    else own.push(step);
  };
  const constant = (text: string) => {
    constants.add(text);
    return constantKey(text);
  };
  for (const literal of literals) {
    const meaning = vocabulary.meaningOf(literal);
    const { before } = meaning.cell;
    const own = [literal];
    if (meaning.kind === 'free' && before !== undefined) {
      const [one, other] = [slotKey(before[0]), slotKey(before[1])];
      if (literal > 0) add(one, { to: other, isStrict: true, literals: own });
      else add(other, { to: one, isStrict: false, literals: own });
    } else if (meaning.kind === 'same' && literal > 0) {
      const [one, other] = [slotKey({ cell: meaning.cell, index: meaning.index }), slotKey(meaning.other)];
      add(one, { to: other, isStrict: false, literals: own });
      add(other, { to: one, isStrict: false, literals: own });
    } else if (meaning.kind === 'language' || meaning.kind === 'element') {
      const index = meaning.kind === 'element' ? meaning.index : undefined;
      const slot = slotKey({ cell: meaning.cell, index });
      // A literal about an element says nothing if there is none.
      const exists = index === undefined ? [] : existence(literals, vocabulary, { cell: meaning.cell, index });
      if (exists === undefined) continue;
      const all = [literal, ...exists];
      const { before: bound, words } = meaning.language.definition;
      if (bound !== undefined && literal > 0) add(slot, { to: constant(bound), isStrict: true, literals: all });
      else if (bound !== undefined) add(constant(bound), { to: slot, isStrict: false, literals: all });
      const [word, ...others] = words ?? [];
      if (word === undefined || others.length > 0 || literal < 0) continue;
      add(slot, { to: constant(word), isStrict: false, literals: all });
      add(constant(word), { to: slot, isStrict: false, literals: all });
    }
  }
  [...constants].sort(compareStrings).forEach((text, at, all) => {
    const next = all[at + 1];
    if (next !== undefined) add(constantKey(text), { to: constantKey(next), isStrict: true, literals: [] });
  });
  return steps;
}

/** Returns a literal that says that a list has an element; undefined if none does. */
function existence(
  literals: readonly Signal[],
  vocabulary: Vocabulary,
  { cell, index }: { readonly cell: Cell; readonly index: number },
): readonly Signal[] | undefined {
  const found = literals.find(literal => {
    const meaning = vocabulary.meaningOf(literal);
    return literal > 0 && meaning.kind === 'size' && meaning.cell === cell && meaning.set[0]![0] > BigInt(index);
  });
  return found === undefined ? undefined : [found];
}

function constantKey(text: string): string {
  return JSON.stringify(text);
}

function slotKey({ cell, index }: Slot): string {
  return `${cell.id}:${index ?? ''}`;
}

/** Returns the literals of a shortest way back to a string with a strict step; undefined if there is none. */
function pathFrom(start: string, steps: ReadonlyMap<string, readonly Step[]>): readonly Signal[] | undefined {
  interface Place {
    readonly at: string;
    readonly isStrict: boolean;
    readonly literals: readonly Signal[];
  }
  const seen = new Set<string>();
  const open: Place[] = [{ at: start, isStrict: false, literals: [] }];
  for (const { at, isStrict, literals } of open) {
    for (const step of steps.get(at) ?? []) {
      const strict = isStrict || step.isStrict;
      const used = [...literals, ...step.literals];
      if (step.to === start && strict) return [...new Set(used)];
      const key = `${step.to} ${strict}`;
      if (seen.has(key)) continue;
      seen.add(key);
      open.push({ at: step.to, isStrict: strict, literals: used });
    }
  }
  return undefined;
}

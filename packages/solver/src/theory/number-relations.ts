import type { Signal } from '../logic/graph.ts';
import { NOT_MODELLED, shrink } from './cell-answer.ts';
import { INTEGERS, intLiteral, USUAL_MOMENT } from './cell-literals.ts';
import { holdsFor } from './cell-values.ts';
import { decideDifferences, type Unknown } from './differences.ts';
import type { EqualityQuestion, RelationAnswer } from './equalities.ts';
import { leastFrom } from './integers.ts';
import type { Cell } from './vocabulary.ts';

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
      ...{ left: this.#cells.indexOf(left), right: this.#cells.indexOf(right), most },
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

// The theory of traffic: what the search asks about cells of all sorts, and values that are computed from them.

import { Budget } from '../logic/budget.ts';
import type { Signal } from '../logic/formula.ts';
import { search, type Theory, type TheoryAnswer } from '../logic/search.ts';
import { doubleAt } from '../values/int-set.ts';
import {
  decideMoment,
  INTEGERS,
  intLiteral,
  listLiteral,
  recordsLiteral,
  type Stated,
  stringLiteral,
} from './cell-literals.ts';
import { chosenOperands, literalsAboutOperands } from './computed-values.ts';
import { decideEqualities, type RelationAnswer } from './equalities.ts';
import { type CellAnswer, decideIntegers, NOT_MODELLED } from './integers.ts';
import { decideElements, decideLists } from './lists.ts';
import { circleIn, decideNumberRelations } from './order-relations.ts';
import { decideStrings } from './strings.ts';
import { completeLocation, fixedUrl, isAboutUrl, likelyUrls, urlQuestion } from './url-relation.ts';
import {
  type Cell,
  type CellValue,
  cellsOf,
  holdsFor,
  isRelated,
  type Meaning,
  type RecordValue,
  type Vocabulary,
} from './vocabulary.ts';

/** Values of cells. */
interface Valuation {
  /** Returns true if a formula holds. */
  readonly holds: (signal: Signal) => boolean;
  /** Undefined if there is none. */
  readonly valueAt: (cell: Cell) => CellValue | undefined;
  /** The cells that the literals say something about. */
  readonly stated: ReadonlySet<Cell>;
}

/** The theory of traffic: one value per cell. Remembers answers and what contradicts each other. */
export class TrafficTheory implements Theory {
  readonly #vocabulary: Vocabulary;
  readonly #answers = new Map<string, CellAnswer<CellValue>>();
  /** Answers about the URL and its parts together. */
  readonly #urls = new Map<string, CellAnswer<string>>();
  readonly #relations = new Map<string, RelationAnswer>();
  /** By their first atom. */
  readonly #lemmas = new Map<Signal, (readonly Signal[])[]>();
  readonly #lemmaKeys = new Set<string>();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  lemmasAbout(atoms: ReadonlySet<Signal>): readonly (readonly Signal[])[] {
    const found: (readonly Signal[])[] = [];
    for (const atom of atoms) {
      for (const lemma of this.#lemmas.get(atom) ?? [])
        if (lemma.every(literal => atoms.has(Math.abs(literal)))) found.push(lemma);
    }
    return found;
  }

  check(literals: readonly Signal[], budget: Budget): TheoryAnswer {
    const operands = literalsAboutOperands(literals, this.#vocabulary);
    if (operands.size === 0) return this.#check(literals, budget);
    const answer = this.#check([...literals, ...operands.keys()], budget);
    // What is computed from a string may be more than can be decided: then it is a value of its own.
    if (answer.kind === 'unknown') return this.#check(literals, budget);
    if (answer.kind !== 'conflict') return answer;
    return { kind: 'conflict', core: [...new Set(answer.core.map(one => operands.get(one) ?? one))] };
  }

  /** Returns the literals with what they say about the strings that values are computed from, if that is decided. */
  #withOperands(literals: readonly Signal[], budget: Budget): readonly Signal[] {
    const operands = literalsAboutOperands(literals, this.#vocabulary);
    const all = [...literals, ...operands.keys()];
    return operands.size === 0 || this.#check(all, budget).kind === 'consistent' ? all : literals;
  }

  /** Returns the literals with strings for which values that are computed from several of them are as they say, if some are found. */
  #withChosen(literals: readonly Signal[], budget: Budget): readonly Signal[] {
    const own = this.#withOperands(literals, budget);
    const valueAt = (cell: Cell) => {
      const answer = this.#decide(cell, this.#byCell(own).get(cell) ?? [], budget);
      return answer.kind === 'value' ? answer.value : undefined;
    };
    for (const chosen of chosenOperands(own, { vocabulary: this.#vocabulary, valueAt, budget })) {
      const found = [...new Set([...own, ...chosen])];
      if (this.#check(found, budget).kind === 'consistent') return found;
    }
    return own;
  }

  #check(literals: readonly Signal[], budget: Budget): TheoryAnswer {
    let open: string | undefined;
    const groups = this.#byCell(literals);
    for (const [cell, own] of groups) {
      const answer = this.#decide(cell, own, budget);
      if (answer.kind === 'unknown') open ??= answer.reason;
      if (answer.kind === 'conflict') return this.#conflict(answer.positions, own);
    }
    const circle = circleIn(literals, this.#vocabulary);
    if (circle !== undefined) {
      this.#remember(circle);
      return { kind: 'conflict', core: circle };
    }
    const related = this.#decideRelations(literals, groups, budget);
    if (related.kind === 'unknown') open ??= related.reason;
    if (related.kind === 'conflict') {
      this.#remember(related.core);
      return related;
    }
    const url = urlQuestion(groups, this.#vocabulary, cellsIn(related));
    const answer = url && this.#decideUrl(url, { related, groups }, budget);
    if (answer?.kind === 'unknown' && related.kind === 'values') open ??= answer.reason;
    if (answer?.kind === 'conflict') return this.#conflict(answer.positions, url!.literals);
    return open === undefined ? { kind: 'consistent' } : { kind: 'unknown', reason: open };
  }

  /** Decides literals about several cells, with what is said about each of them. */
  #decideRelations(
    literals: readonly Signal[],
    groups: ReadonlyMap<Cell, readonly Signal[]>,
    budget: Budget,
  ): RelationAnswer {
    const of = (kind: Meaning['kind']) => literals.filter(one => this.#vocabulary.meaningOf(one).kind === kind);
    const [same, differences] = [of('same'), of('difference')];
    if (same.length + differences.length === 0) return NOTHING_RELATED;
    const all = [...same, ...differences].sort((a, b) => a - b);
    const cells = new Set(all.flatMap(literal => cellsOf(this.#vocabulary.meaningOf(literal))));
    const url = this.#vocabulary.received('url');
    if (url !== undefined && [...cells].some(isAboutUrl)) cells.add(url);
    const own = new Map([...cells].flatMap(cell => (groups.has(cell) ? [[cell, groups.get(cell)!] as const] : [])));
    const key = [...all, ...own.values()].join();
    let answer = this.#relations.get(key);
    if (answer === undefined) {
      const question = { groups: own, vocabulary: this.#vocabulary, budget };
      answer = merged(decideEqualities({ ...question, related: same }), () =>
        decideNumberRelations({ ...question, related: differences }),
      );
      if (answer.kind !== 'unknown') this.#relations.set(key, answer);
    }
    return answer;
  }

  #conflict(positions: readonly number[], literals: readonly Signal[]): TheoryAnswer {
    const core = positions.map(at => literals[at]!);
    this.#remember(core);
    return { kind: 'conflict', core };
  }

  /** Returns values for which consistent literals hold. */
  valuesFor(stated: readonly Signal[], budget: Budget): ReadonlyMap<Cell, CellValue> {
    const literals = this.#withChosen(stated, budget);
    const groups = this.#byCell(literals);
    const values = this.#valuesOf(literals, budget);
    const hasUrl = urlQuestion(groups, this.#vocabulary) !== undefined;
    const related = new Set(literals.flatMap(literal => this.#relatedBy(literal)));
    for (const [cell, value] of values) {
      if (cell.sort === 'double') values.set(cell, `${doubleAt(value as bigint)}`);
      const own = groups.get(cell);
      if (own === undefined || cell.sort !== 'string' || related.has(cell) || (hasUrl && isAboutUrl(cell))) continue;
      const ordinary = this.#ordinary(cell, own);
      if (ordinary !== undefined) values.set(cell, ordinary);
    }
    return values;
  }

  #relatedBy(literal: Signal): readonly Cell[] {
    const meaning = this.#vocabulary.meaningOf(literal);
    return meaning.kind === 'same' || meaning.kind === 'difference' ? cellsOf(meaning) : [];
  }

  /** Returns a value that people expect, if one is found at little cost. */
  #ordinary({ universe }: Cell, literals: readonly Signal[]): string | undefined {
    const stated = literals.map(literal => stringLiteral(this.#statedBy(literal)));
    for (const language of universe.ordinary ?? []) {
      const answer = decideStrings(
        [{ kind: 'language', language, isNegated: false }, ...stated],
        universe,
        new Budget(ORDINARY_UNITS),
      );
      if (answer.kind === 'value') return answer.value;
    }
    return undefined;
  }

  #statedBy(literal: Signal): Stated {
    return { meaning: this.#vocabulary.meaningOf(literal), isNegated: literal < 0 };
  }

  /** Returns values for which literals hold, and what atoms are under them. Cells without a literal have an ordinary value. */
  valuation(literals: readonly Signal[], budget: Budget): Valuation {
    const stated = new Set(literals);
    const found = this.#valuesOf(this.#withOperands(literals, budget), budget);
    completeLocation(found, this.#vocabulary);
    const values = new Map<Cell, CellValue | undefined>(found);
    const valueAt = (cell: Cell): CellValue | undefined => {
      if (!values.has(cell)) {
        const answer = this.#ask(cell, [], budget);
        values.set(cell, answer.kind === 'value' ? answer.value : undefined);
      }
      return values.get(cell);
    };
    const atomHolds = (atom: Signal): boolean => {
      const meaning = this.#vocabulary.meaningOf(atom);
      if (meaning.kind === 'free') return stated.has(atom);
      if (meaning.kind === 'same' || meaning.kind === 'difference') return isRelated(meaning, valueAt);
      const value = valueAt(meaning.cell);
      return value !== undefined && holdsFor(meaning, value);
    };
    return { holds: this.#evaluation(atomHolds), valueAt, stated: new Set(found.keys()) };
  }

  #valuesOf(literals: readonly Signal[], budget: Budget): Map<Cell, CellValue> {
    const groups = this.#byCell(literals);
    const values = new Map<Cell, CellValue>();
    for (const [cell, own] of groups) {
      const answer = this.#decide(cell, own, budget);
      if (answer.kind === 'value') values.set(cell, answer.value);
    }
    const related = this.#decideRelations(literals, groups, budget);
    if (related.kind === 'values') for (const [cell, value] of related.values) values.set(cell, value);
    const question = urlQuestion(groups, this.#vocabulary, cellsIn(related));
    const url = question && this.#decideUrl(question, { related, groups }, budget);
    if (url?.kind !== 'value') return values;
    for (const cell of question!.parts) values.delete(cell);
    return values.set(question!.url, url.value);
  }

  #decideUrl(
    { url, parts, literals, strings }: NonNullable<ReturnType<typeof urlQuestion>>,
    { related, groups }: { readonly related: RelationAnswer; readonly groups: ReadonlyMap<Cell, readonly Signal[]> },
    budget: Budget,
  ): CellAnswer<string> {
    const fixed = related.kind === 'values' ? fixedUrl(related.values, this.#vocabulary) : [];
    const key = `url ${literals.join()} ${fixed.map(one => (one.kind === 'language' ? one.language.key : '')).join()}`;
    let answer = this.#urls.get(key);
    if (answer === undefined) {
      const all = [...strings, ...fixed];
      const values = [url, ...parts].map(cell => {
        const own = this.#decide(cell, groups.get(cell) ?? [], budget);
        return [cell, own.kind === 'value' ? String(own.value) : undefined] as const;
      });
      const preferred = [...url.universe.preferred, ...likelyUrls(new Map(values), strings)];
      answer = decideStrings(all, { ...url.universe, preferred }, budget);
      if (url.universe.isUsual && answer.kind === 'conflict') answer = decideStrings(all, { preferred: [] }, budget);
      // Other values might do.
      const isFixed = answer.kind === 'conflict' && answer.positions.some(at => at >= strings.length);
      if (isFixed) answer = { kind: 'unknown', reason: NOT_MODELLED };
      else if (answer.kind !== 'unknown') this.#urls.set(key, answer);
    }
    return answer;
  }

  /** Returns what evaluates formulas, each gate once. */
  #evaluation(atomHolds: (atom: Signal) => boolean): (signal: Signal) => boolean {
    const known = new Map<Signal, boolean>();
    const evaluate = (signal: Signal): boolean => {
      if (signal < 0) return !evaluate(-signal);
      const gate = this.#vocabulary.graph.gateOf(signal);
      if (gate.kind === 'constant') return true;
      let value = known.get(signal);
      if (value === undefined) {
        value = gate.kind === 'atom' ? atomHolds(signal) : gate.inputs.every(evaluate);
        known.set(signal, value);
      }
      return value;
    };
    return evaluate;
  }

  #byCell(literals: readonly Signal[]): ReadonlyMap<Cell, readonly Signal[]> {
    const found = new Map<Cell, Signal[]>();
    for (const literal of literals.toSorted((a, b) => a - b)) {
      const { cell, kind } = this.#vocabulary.meaningOf(literal);
      if (kind === 'free' || kind === 'same' || kind === 'difference') continue;
      const own = found.get(cell);
      if (own === undefined) found.set(cell, [literal]);
      else own.push(literal);
    }
    return found;
  }

  #decide(cell: Cell, literals: readonly Signal[], budget: Budget): CellAnswer<CellValue> {
    const key = literals.join();
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      answer = this.#ask(cell, literals, budget);
      if (cell.universe.isUsual && answer.kind === 'conflict') {
        const { always } = cell.universe;
        answer = this.#ask(
          { ...cell, universe: { preferred: [], ...(always && { language: always }) } },
          literals,
          budget,
        );
      }
      // Another question may have more budget left.
      if (answer.kind !== 'unknown') this.#answers.set(key, answer);
    }
    return answer;
  }

  #ask(cell: Cell, literals: readonly Signal[], budget: Budget): CellAnswer<CellValue> {
    const stated = literals.map(literal => this.#statedBy(literal));
    switch (cell.sort) {
      case 'string':
        return decideStrings(stated.map(stringLiteral), cell.universe, budget);
      case 'int':
      case 'double':
      case 'time': {
        if (stated.some(({ meaning }) => meaning.kind === 'part')) return decideMoment(stated, cell.universe.integers);
        const { integers = INTEGERS[cell.sort], preferred } = cell.universe;
        return decideIntegers(stated.map(intLiteral), integers, preferred.map(BigInt));
      }
      case 'list':
        return decideLists(stated.map(listLiteral), cell.universe, budget);
      case 'records':
        return decideElements<RecordValue, Signal>(stated.map(recordsLiteral), {
          negated: formula => -formula,
          isTrue: (formula, { holds }) => holds(formula),
          decide: formulas => this.#decideRecord(formulas, budget),
        });
      case 'free':
        return { kind: 'value', value: '' };
    }
  }

  /** Looks for an object whose fields satisfy all formulas. Objects of one list are independent of each other. */
  #decideRecord(formulas: readonly Signal[], budget: Budget): CellAnswer<RecordValue> {
    const found = search(this.#vocabulary.graph, formulas, this, budget);
    if (found.kind === 'unknown') return found;
    if (found.kind === 'impossible') return { kind: 'conflict', positions: formulas.map((_, at) => at) };
    const { holds } = this.valuation(found.literals, budget);
    const fields = new Map<string, CellValue>();
    for (const [{ steps }, value] of this.valuesFor(found.literals, budget)) fields.set(String(steps.at(-1)), value);
    for (const literal of found.literals) {
      const { kind, cell } = this.#vocabulary.meaningOf(literal);
      if (kind === 'free' && literal > 0) fields.set(String(cell.steps.at(-1)), 'true');
    }
    return {
      kind: 'value',
      value: { fields, holds, toJSON: () => [...fields].map(([name, one]) => [name, `${one}`]) },
    };
  }

  #remember(core: readonly Signal[]): void {
    const lemma = core.map(literal => -literal);
    const key = lemma.join();
    if (this.#lemmaKeys.has(key)) return;
    this.#lemmaKeys.add(key);
    const atom = Math.abs(lemma[0]!);
    const others = this.#lemmas.get(atom);
    if (others === undefined) this.#lemmas.set(atom, [lemma]);
    else others.push(lemma);
  }
}

/** What looking for an ordinary value may cost, beside the budget: proofs do not depend on it. */
const ORDINARY_UNITS = 5000;

function cellsIn(answer: RelationAnswer): ReadonlySet<Cell> {
  return new Set(answer.kind === 'values' ? answer.values.keys() : []);
}

const NOTHING_RELATED: RelationAnswer = { kind: 'values', values: new Map() };

function merged(first: RelationAnswer, second: () => RelationAnswer): RelationAnswer {
  if (first.kind === 'conflict') return first;
  const other = second();
  if (other.kind === 'conflict' || first.kind === 'unknown') return other.kind === 'conflict' ? other : first;
  return other.kind === 'unknown' ? other : { kind: 'values', values: new Map([...first.values, ...other.values]) };
}

import { Budget } from '../logic/budget.ts';
import type { Signal } from '../logic/graph.ts';
import { search, type Theory, type TheoryAnswer } from '../logic/search.ts';
import { ADDRESS_LINE, ANY_STRING, addressNumber } from '../values/addresses.ts';
import { DOUBLES, doubleAt } from '../values/doubles.ts';
import { ANY_INTEGER, complement, INT64, type IntSet, includes, intersect } from '../values/int-set.ts';
import type { CellAnswer } from './cell-answer.ts';
import { decideElements, type ElementsLiteral } from './elements.ts';
import { decideIntegers, type IntLiteral } from './integers.ts';
import { decideLists, type ListLiteral } from './lists.ts';
import { decideStrings, type StringLiteral } from './strings.ts';
import { decideParts, hasPart } from './time-parts.ts';
import { completeLocation, isAboutUrl, urlQuestion } from './url-relation.ts';
import type { Cell, Meaning, Vocabulary } from './vocabulary.ts';

/** The value of a cell. */
export type CellValue = string | bigint | readonly string[] | readonly RecordValue[];

/** An element of a list of objects. */
export interface RecordValue {
  /** The fields that something is known of, by name; a bool is `true` or `false`. */
  readonly fields: ReadonlyMap<string, CellValue>;
  readonly holds: (formula: Signal) => boolean;
  /** Equal for values with the same fields. */
  readonly toJSON: () => unknown;
}

/** Values of cells. */
interface Valuation {
  /** Returns true if a formula holds. */
  readonly holds: (signal: Signal) => boolean;
  /** Undefined if there is none. */
  readonly valueAt: (cell: Cell) => CellValue | undefined;
  /** The cells that the literals say something about. */
  readonly stated: ReadonlySet<Cell>;
}

/** What an atom says about the value of its cell. */
export type TestMeaning = Exclude<Meaning, { readonly kind: 'free' }>;

/** The theory of traffic: one value per cell. Remembers answers and what contradicts each other. */
export class TrafficTheory implements Theory {
  readonly #vocabulary: Vocabulary;
  readonly #answers = new Map<string, CellAnswer<CellValue>>();
  /** Answers about the URL and its parts together. */
  readonly #urls = new Map<string, CellAnswer<string>>();
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
    let open: string | undefined;
    const groups = this.#byCell(literals);
    for (const [cell, own] of groups) {
      const answer = this.#decide(cell, own, budget);
      if (answer.kind === 'unknown') open ??= answer.reason;
      if (answer.kind === 'conflict') return this.#conflict(answer.positions, own);
    }
    const url = urlQuestion(groups, this.#vocabulary);
    const answer = url && this.#decideUrl(url, budget);
    if (answer?.kind === 'conflict') return this.#conflict(answer.positions, url!.literals);
    return open === undefined ? { kind: 'consistent' } : { kind: 'unknown', reason: open };
  }

  #conflict(positions: readonly number[], literals: readonly Signal[]): TheoryAnswer {
    const core = positions.map(at => literals[at]!);
    this.#remember(core);
    return { kind: 'conflict', core };
  }

  /** Returns values for which consistent literals hold. */
  valuesFor(literals: readonly Signal[], budget: Budget): ReadonlyMap<Cell, CellValue> {
    const groups = this.#byCell(literals);
    const values = this.#valuesOf(groups, budget);
    const isRelated = urlQuestion(groups, this.#vocabulary) !== undefined;
    for (const [cell, own] of groups) {
      const value = values.get(cell);
      if (value === undefined) continue;
      if (cell.sort === 'double') values.set(cell, `${doubleAt(value as bigint)}`);
      if (cell.sort !== 'string' || (isRelated && isAboutUrl(cell))) continue;
      const ordinary = this.#ordinary(cell, own);
      if (ordinary !== undefined) values.set(cell, ordinary);
    }
    return values;
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
    const found = this.#valuesOf(this.#byCell(literals), budget);
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
      const value = valueAt(meaning.cell);
      return value !== undefined && holdsFor(meaning, value);
    };
    return { holds: this.#evaluation(atomHolds), valueAt, stated: new Set(found.keys()) };
  }

  #valuesOf(groups: ReadonlyMap<Cell, readonly Signal[]>, budget: Budget): Map<Cell, CellValue> {
    const values = new Map<Cell, CellValue>();
    for (const [cell, own] of groups) {
      const answer = this.#decide(cell, own, budget);
      if (answer.kind === 'value') values.set(cell, answer.value);
    }
    const question = urlQuestion(groups, this.#vocabulary);
    const url = question && this.#decideUrl(question, budget);
    if (url?.kind !== 'value') return values;
    for (const cell of question!.parts) values.delete(cell);
    return values.set(question!.url, url.value);
  }

  #decideUrl(
    { url, literals, strings }: NonNullable<ReturnType<typeof urlQuestion>>,
    budget: Budget,
  ): CellAnswer<string> {
    const key = `url ${literals.join()}`;
    let answer = this.#urls.get(key);
    if (answer === undefined) {
      answer = decideStrings(strings, url.universe, budget);
      if (url.universe.isUsual && answer.kind === 'conflict')
        answer = decideStrings(strings, { preferred: [] }, budget);
      if (answer.kind !== 'unknown') this.#urls.set(key, answer);
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
      if (kind === 'free') continue;
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
        answer = this.#ask({ ...cell, universe: { preferred: [] } }, literals, budget);
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

interface Stated {
  readonly meaning: Meaning;
  readonly isNegated: boolean;
}

function stringLiteral({ meaning, isNegated }: Stated): StringLiteral {
  if (meaning.kind === 'language') return { kind: 'language', language: meaning.language, isNegated };
  const set = meaning.kind === 'addresses' ? meaning.set : [];
  return { kind: 'addresses', set: isNegated ? intersect(complement(set, ADDRESS_LINE), ANY_STRING) : set };
}

function intLiteral({ meaning, isNegated }: Stated): IntLiteral {
  if (meaning.kind === 'residue')
    return { kind: 'residue', modulus: meaning.modulus, residue: meaning.residue, isNegated };
  const set = meaning.kind === 'integers' ? meaning.set : [];
  return { kind: 'set', set: isNegated ? complement(set, ANY_INTEGER) : set };
}

const INTEGERS = { int: [INT64], double: DOUBLES, time: [ANY_INTEGER] } as const;

/** Looks for a moment; tests of its parts follow those of where it is in time. */
function decideMoment(stated: readonly Stated[], universe: IntSet = INTEGERS.time): CellAnswer<bigint> {
  const [parts, others] = [stated.map(partLiteral), stated.filter(({ meaning }) => meaning.kind !== 'part')];
  const bounds = others.map(one => intLiteral(one)).flatMap(one => (one.kind === 'set' ? [one.set] : []));
  const moments = bounds.reduce(intersect, universe);
  const tests = parts.filter(one => one !== undefined);
  const answer = decideParts(tests, moments, USUAL_MOMENT);
  if (answer.kind !== 'conflict') return answer;
  const own = answer.positions.map(at => parts.indexOf(tests[at]!));
  const isOfParts = answer.positions.length < tests.length;
  const rest = isOfParts ? [] : stated.flatMap(({ meaning }, at) => (meaning.kind === 'part' ? [] : [at]));
  return { kind: 'conflict', positions: [...own, ...rest].sort((a, b) => a - b) };
}

function partLiteral({ meaning, isNegated }: Stated) {
  return meaning.kind === 'part' ? { ...meaning, isNegated } : undefined;
}

const USUAL_MOMENT = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n;

function listLiteral({ meaning, isNegated }: Stated): ListLiteral {
  switch (meaning.kind) {
    case 'element':
      return { kind: 'element', index: meaning.index, language: meaning.language, isNegated };
    case 'some':
      return { kind: 'some', language: meaning.language, isNegated };
    default: {
      const set = meaning.kind === 'size' ? meaning.set : [];
      return { kind: 'size', set: isNegated ? complement(set, [0n, INT64[1]]) : set };
    }
  }
}

function recordsLiteral({ meaning, isNegated }: Stated): ElementsLiteral<Signal> {
  switch (meaning.kind) {
    case 'record':
      return { kind: 'element', index: meaning.index, test: meaning.formula, isNegated };
    case 'some-record':
      return { kind: 'some', test: meaning.formula, isNegated };
    case 'first-record':
      return { kind: 'first', filter: meaning.filter, test: meaning.formula, isNegated };
    default: {
      const set = meaning.kind === 'size' ? meaning.set : [];
      return { kind: 'size', set: isNegated ? complement(set, [0n, INT64[1]]) : set };
    }
  }
}

/** Returns true if an atom holds for a value of its cell; an address may be given as its number, which takes time to parse. */
export function holdsFor(meaning: TestMeaning, value: CellValue): boolean {
  const elements = Array.isArray(value) ? (value as readonly string[]) : [];
  const records = elements as readonly (string | RecordValue)[];
  const isRecord = (one: string | RecordValue | undefined, formula: Signal) =>
    typeof one === 'object' && one.holds(formula);
  switch (meaning.kind) {
    case 'language':
      return meaning.language.test(String(value));
    case 'addresses':
      return includes(meaning.set, typeof value === 'bigint' ? value : addressNumber(value as string));
    case 'integers':
      return includes(meaning.set, value as bigint);
    case 'part':
      return hasPart(meaning, value as bigint);
    case 'residue':
      return (value as bigint) % meaning.modulus === meaning.residue;
    case 'size':
      return includes(meaning.set, BigInt(elements.length));
    case 'element': {
      const element = elements[meaning.index];
      return element !== undefined && meaning.language.test(element);
    }
    case 'some':
      return elements.some(element => meaning.language.test(element));
    case 'record':
      return isRecord(records[meaning.index], meaning.formula);
    case 'some-record':
      return records.some(one => isRecord(one, meaning.formula));
    case 'first-record':
      return isRecord(
        records.find(one => isRecord(one, meaning.filter)),
        meaning.formula,
      );
  }
}

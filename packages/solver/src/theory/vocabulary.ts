// What literals are about: cells, each one value of traffic, and tests of their values.

import type { ValueRole } from '@tollgate/catalog';
import type { Graph, Signal } from '../logic/formula.ts';
import { addressNumber, type IntSet, includes, keyOf } from '../values/int-set.ts';
import { Language } from '../values/language.ts';
import type { UrlRewrite } from '../values/rewritten-urls.ts';
import { hasPart, type PartTest } from './integers.ts';

/** A value of traffic that conditions test: the unknown of the theory. */
export interface Cell {
  readonly id: number;
  /**
   * A `double` is an integer that says where it is among all doubles; a `time` is a number of nanoseconds; a `list` is one of strings, and
   * `records` is one of objects.
   */
  readonly sort: 'string' | 'int' | 'double' | 'time' | 'list' | 'records' | 'free';
  /** Names, keys and indices that lead to it, such as `['req', 'Headers', 'X']`. */
  readonly steps: readonly (string | number)[];
  readonly role: ValueRole | undefined;
  /** Which change of the traffic it is the value after; empty for the value as received. */
  readonly version: string;
  /** What every well-formed request has there. */
  readonly universe: Universe;
  /** The list of objects that it is a field of: any element. */
  readonly list?: Cell;
  /** What it is the value of, for messages, if nothing else is known about it. */
  readonly uninterpreted?: string;
  /** If it is whether one string comes before another: the two. */
  readonly before?: readonly [Slot, Slot];
  /** If it is computed from strings: how, and whether it is the value, or that there is none. */
  readonly computed?: Computed & { readonly part: 'value' | 'failure' };
}

/** What is known about a value that an expression computes from strings and nothing else. */
export interface Computed {
  readonly operands: readonly Slot[];
  /** True if the strings always exist, so that the expression fails only because of what they are. */
  readonly isAlways: boolean;
  /** Returns the value for strings; undefined if computing it fails. */
  readonly apply: (texts: readonly string[]) => string | boolean | bigint | undefined;
  /** Strings in the expression, of which operands may be made up. */
  readonly pieces: readonly string[];
}

/** The last step of cells that are numbers of entries of maps. */
export const MAP_SIZE = '#size';

/** What a well-formed request has in a cell. */
export interface Universe {
  readonly language?: Language;
  readonly integers?: IntSet;
  /** All values, if there are few. */
  readonly domain?: readonly string[];
  /** The most ordinary values first. */
  readonly preferred: readonly string[];
  /** Ordinary values in addition, for exchanges that people see; the most ordinary first. */
  readonly ordinary?: readonly Language[];
  /** True if other values are possible too; they are tried when nothing else is left. */
  readonly isUsual?: boolean;
  /** What even those other values have. */
  readonly always?: Language;
}

/** A string: the value of a cell, or an element of a list. */
export interface Slot {
  readonly cell: Cell;
  /** Of the element; undefined for cells that are strings. */
  readonly index: number | undefined;
}

/** Identifies a slot. */
export function slotKey({ cell, index }: Slot): string {
  return `${cell.id}:${index}`;
}

/** What an atom says about a cell. */
export type Meaning = { readonly cell: Cell } & (
  | { readonly kind: 'language'; readonly language: Language }
  /** The address that a string is; see `values/addresses`. */
  | { readonly kind: 'addresses'; readonly set: IntSet }
  | { readonly kind: 'integers'; readonly set: IntSet }
  | { readonly kind: 'residue'; readonly modulus: bigint; readonly residue: bigint }
  /** A part of a moment. */
  | ({ readonly kind: 'part' } & PartTest)
  /** The number of elements of a list. */
  | { readonly kind: 'size'; readonly set: IntSet }
  /** An element of a list, if there is one at this index. */
  | { readonly kind: 'element'; readonly index: number; readonly language: Language }
  /** Some element of a list. */
  | { readonly kind: 'some'; readonly language: Language }
  /** An element of a list of objects, if there is one at this index; the formula is about its fields. */
  | { readonly kind: 'record'; readonly index: number; readonly formula: Signal }
  /** Some element of a list of objects. */
  | { readonly kind: 'some-record'; readonly formula: Signal }
  /** The first element for which the filter holds, if there is one. */
  | { readonly kind: 'first-record'; readonly filter: Signal; readonly formula: Signal }
  /** Two strings exist and are equal. */
  | { readonly kind: 'same'; readonly index: number | undefined; readonly other: Slot }
  /** The integer is at most this much more than another one. */
  | { readonly kind: 'difference'; readonly other: Cell; readonly most: bigint }
  /** Something that is not interpreted. */
  | { readonly kind: 'free' }
);

/** Returns true for the path as sent, still encoded, which has the role of the path. */
export function isAsSent({ steps }: Pick<Cell, 'steps'>): boolean {
  return steps.at(-1) === 'raw_path';
}

/** Returns the cells that an atom reads. */
export function cellsOf(meaning: Meaning): readonly Cell[] {
  if (meaning.kind === 'same') return [meaning.cell, meaning.other.cell];
  return meaning.kind === 'difference' ? [meaning.cell, meaning.other] : [meaning.cell];
}

/** The cells and atoms that conditions share. Only conditions read with the same vocabulary can be combined. */
export class Vocabulary {
  readonly graph: Graph;
  readonly #cells = new Map<string, Cell>();
  readonly #received = new Map<ValueRole, Cell>();
  readonly #atoms = new Map<string, Signal>();
  readonly #meanings = new Map<Signal, Meaning>();
  readonly #languages = new Map<string, Language>();
  readonly #rewrites = new Map<string, UrlRewrite>();
  readonly #maps = new Map<string, { isEmpty: Signal | undefined; readonly entries: Set<Signal> }>();
  #unique = 0;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  /** Returns the cell with a key, creating it on first use. */
  cell(key: string, make: () => Omit<Cell, 'id'>): Cell {
    let cell = this.#cells.get(key);
    if (cell === undefined) {
      cell = { ...make(), id: this.#cells.size };
      this.#cells.set(key, cell);
      const { role, version, sort, list } = cell;
      const isReceived = version === '' && sort === 'string' && list === undefined && !isAsSent(cell);
      if (role !== undefined && isReceived && !this.#received.has(role)) this.#received.set(role, cell);
    }
    return cell;
  }

  /** Returns the string with a role in the request as received; undefined if no condition tests it. */
  received(role: ValueRole): Cell | undefined {
    return this.#received.get(role);
  }

  /** Notes that values of a version are those after a rewrite of the URL as received. */
  noteRewrite(version: string, rewrite: UrlRewrite): void {
    this.#rewrites.set(version, rewrite);
  }

  /** Returns how the URL as received became that of a version; undefined if that is not known. */
  rewriteOf(version: string): UrlRewrite | undefined {
    return this.#rewrites.get(version);
  }

  /** Returns the atom with a meaning. */
  atom(meaning: Meaning): Signal {
    const key = `${meaning.cell.id}:${meaningKey(meaning)}`;
    let atom = this.#atoms.get(key);
    if (atom === undefined) {
      atom = this.graph.atom();
      this.#atoms.set(key, atom);
      this.#meanings.set(atom, meaning);
    }
    return atom;
  }

  /** Returns the meaning of an atom, whether negated or not. */
  meaningOf(literal: Signal): Meaning {
    return this.#meanings.get(Math.abs(literal))!;
  }

  /** Returns the language with a key, so that its automata are built once. */
  language(key: string, make: () => Omit<Language['definition'], 'key'>): Language {
    let language = this.#languages.get(key);
    if (language === undefined) {
      language = new Language({ key, ...make() });
      this.#languages.set(key, language);
    }
    return language;
  }

  /** Notes that a signal holds only where a map has entries. */
  relateEntry(map: string, isPresent: Signal): void {
    this.#mapOf(map).entries.add(isPresent);
  }

  /** Notes the signal that holds where a map is empty. */
  relateSize(map: string, isEmpty: Signal): void {
    this.#mapOf(map).isEmpty = isEmpty;
  }

  /** Returns signals that hold of all traffic: a map with an entry is not empty. */
  facts(): readonly Signal[] {
    return [...this.#maps.values()].flatMap(({ isEmpty, entries }) =>
      isEmpty === undefined ? [] : [...entries].map(entry => -this.graph.and([isEmpty, entry])),
    );
  }

  #mapOf(name: string): { isEmpty: Signal | undefined; readonly entries: Set<Signal> } {
    const map = this.#maps.get(name) ?? { isEmpty: undefined, entries: new Set<Signal>() };
    this.#maps.set(name, map);
    return map;
  }

  /** Returns a string that it never returned before. */
  unique(): string {
    return `#${this.#unique++}`;
  }
}

function meaningKey(meaning: Meaning): string {
  switch (meaning.kind) {
    case 'language':
    case 'some':
      return `${meaning.kind}:${meaning.language.key}`;
    case 'element':
      return `${meaning.index}:${meaning.language.key}`;
    case 'addresses':
    case 'integers':
    case 'size':
      return `${meaning.kind}:${keyOf(meaning.set)}`;
    case 'part':
      return `${meaning.part}${meaning.offset}:${keyOf(meaning.set)}`;
    case 'residue':
      return `${meaning.residue}%${meaning.modulus}`;
    case 'record':
      return `${meaning.index}:${meaning.formula}`;
    case 'some-record':
      return `some:${meaning.formula}`;
    case 'first-record':
      return `${meaning.filter}:${meaning.formula}`;
    case 'same':
      return `same:${meaning.index}:${meaning.other.cell.id}:${meaning.other.index}`;
    case 'difference':
      return `difference:${meaning.other.id}:${meaning.most}`;
    case 'free':
      return 'free';
  }
}

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

/** What an atom says about the value of its cell. */
export type TestMeaning = Exclude<Meaning, { readonly kind: 'free' | 'same' | 'difference' }>;

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

/** Returns true if an atom about two cells holds for their values. */
export function isRelated(
  meaning: Extract<Meaning, { readonly kind: 'same' | 'difference' }>,
  valueAt: (cell: Cell) => CellValue | undefined,
): boolean {
  if (meaning.kind === 'difference') {
    const [value, other] = [valueAt(meaning.cell), valueAt(meaning.other)];
    return typeof value === 'bigint' && typeof other === 'bigint' && value - other <= meaning.most;
  }
  const [text, other] = [meaning, meaning.other].map(slot => stringAt(slot, valueAt));
  return text !== undefined && text === other;
}

function stringAt({ cell, index }: Slot, valueAt: (cell: Cell) => CellValue | undefined): string | undefined {
  const value = valueAt(cell);
  const found = index === undefined ? value : Array.isArray(value) ? (value as readonly unknown[])[index] : undefined;
  return typeof found === 'string' ? found : undefined;
}

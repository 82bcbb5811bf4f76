// Values that expressions compute from strings: what they say about those strings, and strings from which they follow.

import { base64ToBytes } from '@tollgate/diagnostics/portable';
import type { Budget } from '../logic/budget.ts';
import type { Signal } from '../logic/formula.ts';
import { INT64, includes } from '../values/int-set.ts';
import { type Language, wordsLanguage } from '../values/language.ts';
import {
  type Cell,
  type CellValue,
  type Computed,
  cellsOf,
  holdsFor,
  type Meaning,
  type Slot,
  slotKey,
  type Vocabulary,
} from './vocabulary.ts';

/**
 * Returns what literals about values that are computed from one string say about that string, and the literal that says so. Values of strings
 * for which computing them fails may be any.
 */
export function literalsAboutOperands(
  literals: readonly Signal[],
  vocabulary: Vocabulary,
): ReadonlyMap<Signal, Signal> {
  const found = new Map<Signal, Signal>();
  for (const literal of literals) {
    const meaning = vocabulary.meaningOf(literal);
    const language = languageFor(literal, meaning, vocabulary);
    if (language === undefined) continue;
    found.set(atomAbout(vocabulary, meaning.cell.computed!.operands[0]!, language), literal);
  }
  return found;
}

function atomAbout(vocabulary: Vocabulary, { cell, index }: Slot, language: Language): Signal {
  const about = index === undefined ? ({ kind: 'language' } as const) : ({ kind: 'element', index } as const);
  return vocabulary.atom({ ...about, cell, language });
}

/** Returns the strings from which a literal can follow; undefined if it is not about a value that is computed from a string. */
function languageFor(literal: Signal, meaning: Meaning, vocabulary: Vocabulary): Language | undefined {
  const { computed, id } = meaning.cell;
  const isTested = meaning.kind === 'language' || meaning.kind === 'integers' || meaning.kind === 'free';
  if (computed === undefined || !isTested || computed.operands.length > 1) return undefined;
  const { part, apply, isAlways, pieces } = computed;
  // What does not exist makes it fail, too.
  if (part === 'failure' && !isAlways) return undefined;
  const isWanted = literal > 0;
  const key = `computed:${id}:${literal}`;
  return vocabulary.language(key, () => ({
    test: text => {
      const value = apply([text]);
      if (part === 'failure') return (value === undefined) === isWanted;
      return value === undefined || holdsForString(meaning, value) === isWanted;
    },
    samples: operandsFor(meaning, pieces),
  }));
}

function holdsForString(meaning: Meaning, value: string | boolean | bigint): boolean {
  if (meaning.kind === 'language') return meaning.language.test(String(value));
  return meaning.kind === 'integers' ? includes(meaning.set, value as bigint) : value === true;
}

/** Returns strings that may lead to a value, made up of what it is compared with and of strings in the expression. */
function operandsFor(meaning: Meaning, pieces: readonly string[]): readonly string[] {
  const wanted = meaning.kind === 'language' ? meaning.language.definition.samples.slice(0, MAX_WANTED) : [''];
  const longer = meaning.kind === 'integers' ? meaning.set.flat().filter(one => one > 0n && one < MAX_COUNT) : [];
  const around = ['', '/', 'a', 'aa', '/a', ...pieces.slice(0, MAX_PIECES)];
  const found = wanted.flatMap(text => around.flatMap(one => [`${one}${text}`, `${text}${one}`, `/${text}${one}`]));
  const decoded = wanted.map(textOfBase64).filter(text => text !== undefined);
  const joined = pieces.slice(0, MAX_PIECES).flatMap(piece => pieces.map(other => `${piece}${other}`));
  const counted = longer.flatMap(count => {
    const filling = 'a'.repeat(Number(count));
    return around.flatMap(one => [`${filling}${one}`, `/${filling.slice(1)}${one}`, one.repeat(Number(count))]);
  });
  return [...new Set([...decoded, ...found, ...joined, ...counted])];
}

function textOfBase64(text: string): string | undefined {
  if (text === '' || text.length % 4 !== 0 || !/^[\w+/]+={0,2}$/.test(text)) return undefined;
  return new TextDecoder().decode(base64ToBytes(text));
}

const MAX_WANTED = 4;
const MAX_PIECES = 4;
const MAX_COUNT = 40n;

/** What strings are chosen for. */
interface Choice {
  readonly vocabulary: Vocabulary;
  /** Returns the value that other literals leave to a cell. */
  readonly valueAt: (cell: Cell) => CellValue | undefined;
  readonly budget: Budget;
}

/**
 * Yields literals that fix strings from which values are computed that literals are about, and those values, the likeliest strings first. Only
 * values of several strings, and comparisons of values, need it.
 */
export function* chosenOperands(literals: readonly Signal[], choice: Choice): Iterable<readonly Signal[]> {
  const { vocabulary, budget } = choice;
  const meanings = literals.map(literal => ({ literal, meaning: vocabulary.meaningOf(literal) }));
  const about = meanings.filter(({ meaning }) => isAboutSeveral(meaning));
  if (about.length === 0) return;
  const slots = [
    ...new Map(about.flatMap(({ meaning }) => slotsOf(meaning)).map(slot => [slotKey(slot), slot])).values(),
  ];
  if (slots.length > MAX_SLOTS) return;
  const concerned = meanings.filter(({ meaning }) =>
    slotsOf(meaning).some(slot => slots.some(one => isSame(one, slot))),
  );
  const computed = concerned.flatMap(({ meaning }) => cellsOf(meaning).filter(cell => cell.computed !== undefined));
  const texts = candidates(slots, { choice, literals, meanings: concerned.map(one => one.meaning) });
  let [yielded, tried] = [0, 0];
  for (const chosen of combinations(texts, MAX_TRIED)) {
    if (budget.isSpent || yielded >= MAX_YIELDED) return;
    if (++tried % 16 === 0) budget.spend(1);
    const textOf = (slot: Slot) => chosen[slots.findIndex(one => isSame(one, slot))];
    const isWanted = concerned.every(
      ({ literal, meaning }) => (mayHold(meaning, textOf) ?? literal > 0) === literal > 0,
    );
    if (!isWanted) continue;
    yielded++;
    yield [
      ...slots.flatMap((slot, at) => [
        atomAbout(vocabulary, slot, words(vocabulary, chosen[at]!)),
        ...existenceOf(vocabulary, slot),
      ]),
      ...new Set(computed.flatMap(cell => valueLiteral(vocabulary, cell, textOf) ?? [])),
    ];
  }
}

const MAX_SLOTS = 4;
const MAX_TRIED = 4000;
const MAX_YIELDED = 24;

function words(vocabulary: Vocabulary, text: string): Language {
  return wordsLanguage(vocabulary.language.bind(vocabulary), [text]);
}

function existenceOf(vocabulary: Vocabulary, { cell, index }: Slot): readonly Signal[] {
  return index === undefined ? [] : [vocabulary.atom({ kind: 'size', cell, set: [[BigInt(index) + 1n, INT64[1]]] })];
}

function isSame(a: Slot, b: Slot): boolean {
  return a.cell === b.cell && a.index === b.index;
}

/** Returns the strings that decide an atom. */
function slotsOf(meaning: Meaning): readonly Slot[] {
  const cells = cellsOf(meaning);
  const computed = cells.flatMap(cell => cell.computed?.operands ?? []);
  if (computed.length === 0) return [];
  if (meaning.kind !== 'same') return computed;
  const own = [{ cell: meaning.cell, index: meaning.index }, meaning.other].filter(
    one => one.cell.computed === undefined,
  );
  return [...own, ...computed];
}

/** Returns true for comparisons of values of which one is computed, and for values that are computed from several strings. */
function isAboutSeveral(meaning: Meaning): boolean {
  const count = slotsOf(meaning).length;
  return count > 1 || (count === 1 && cellsOf(meaning).length > 1);
}

/** Returns whether an atom about computed values holds for strings; undefined if they do not decide it. */
function mayHold(meaning: Meaning, textOf: (slot: Slot) => string | undefined): boolean | undefined {
  const valueAt = ({ cell, index }: Slot) =>
    cell.computed === undefined ? textOf({ cell, index }) : valueFor(cell.computed, textOf);
  const own = valueAt({ cell: meaning.cell, index: undefined });
  if (meaning.cell.computed?.part === 'failure') return own === undefined;
  switch (meaning.kind) {
    case 'same': {
      const [one, other] = [valueAt({ cell: meaning.cell, index: meaning.index }), valueAt(meaning.other)];
      return one === undefined || other === undefined ? undefined : one === other;
    }
    case 'difference': {
      const other = valueAt({ cell: meaning.other, index: undefined });
      return typeof own === 'bigint' && typeof other === 'bigint' ? own - other <= meaning.most : undefined;
    }
    default:
      return own === undefined ? undefined : holdsForString(meaning, own);
  }
}

function valueFor({ operands, apply }: Computed, textOf: (slot: Slot) => string | undefined) {
  const texts = operands.map(textOf);
  return texts.every(text => text !== undefined) ? apply(texts) : undefined;
}

/** Returns the literal that a computed value is the one of these strings; undefined if it has none. */
function valueLiteral(
  vocabulary: Vocabulary,
  cell: Cell,
  textOf: (slot: Slot) => string | undefined,
): Signal | undefined {
  const value = cell.computed?.part === 'value' ? valueFor(cell.computed, textOf) : undefined;
  if (typeof value === 'bigint' && cell.sort === 'int')
    return vocabulary.atom({ kind: 'integers', cell, set: [[value, value]] });
  if (typeof value === 'string' && cell.sort === 'string')
    return vocabulary.atom({ kind: 'language', cell, language: words(vocabulary, value) });
  return undefined;
}

interface Sought {
  readonly choice: Choice;
  readonly literals: readonly Signal[];
  /** Of the literals about computed values. */
  readonly meanings: readonly Meaning[];
}

/** Returns strings to try for each slot: what other literals leave to it, and what is made up of literals and of the other strings. */
function candidates(slots: readonly Slot[], { choice, literals, meanings }: Sought): readonly (readonly string[])[] {
  const { vocabulary, valueAt } = choice;
  const starts = slots.map(slot => textIn(valueAt(slot.cell), slot));
  const pieces = [
    ...new Set(meanings.flatMap(meaning => cellsOf(meaning).flatMap(cell => cell.computed?.pieces ?? []))),
  ].slice(0, MAX_PIECES);
  const wanted = meanings.flatMap(meaning =>
    meaning.kind === 'language' ? meaning.language.definition.samples.slice(0, MAX_WANTED) : [],
  );
  const known = literals.flatMap(literal => {
    const meaning = vocabulary.meaningOf(literal);
    return meaning.kind === 'language' || meaning.kind === 'element' ? [meaning] : [];
  });
  return slots.map((slot, at) => {
    const { cell, index } = slot;
    const named = known.flatMap(one =>
      one.cell === cell ? (one.language.definition.words ?? one.language.definition.samples) : [],
    );
    const others = starts.filter((_, other) => other !== at);
    const base = [starts[at], ...named, ...cell.universe.preferred, ...others];
    const simple = [...base, ...wanted, ...pieces].filter(one => one !== undefined);
    const longer = simple
      .slice(0, MAX_BASE)
      .flatMap(one => [`/${one}`, `${one}a`, `${one}aa`, ...others.map(other => `${one}${other}`)]);
    const shorter = wanted.flatMap(one => [one.slice(0, 1), one.slice(1), one.slice(0, -1), one.slice(-1)]);
    const sized = LENGTHS.map(length => `/${'a'.repeat(length - 1)}`);
    const all = [...simple, ...shorter, ...longer, '', 'a', '1', '2', '~', '-', ...sized];
    const stated = literals.filter(literal => {
      const meaning = vocabulary.meaningOf(literal);
      return (
        meaning.cell === cell &&
        (index === undefined ? meaning.kind === 'language' || meaning.kind === 'addresses' : isElement(meaning, index))
      );
    });
    const isPossible = (text: string) =>
      (cell.universe.isUsual === true || (cell.universe.language?.test(text) ?? true)) &&
      stated.every(literal => isStringIn(vocabulary.meaningOf(literal), text) === literal > 0);
    return [...new Set(all)].filter(isPossible).slice(0, MAX_CANDIDATES);
  });
}

const MAX_BASE = 8;
const MAX_CANDIDATES = 24;
const LENGTHS = [2, 3, 5, 8, 11, 12];

function isElement(meaning: Meaning, index: number): boolean {
  return meaning.kind === 'element' && meaning.index === index;
}

function isStringIn(meaning: Meaning, text: string): boolean {
  if (meaning.kind === 'element') return meaning.language.test(text);
  return meaning.kind === 'language' || meaning.kind === 'addresses' ? holdsFor(meaning, text) : true;
}

function textIn(value: CellValue | undefined, { index }: Slot): string | undefined {
  const found = index === undefined ? value : Array.isArray(value) ? (value as readonly unknown[])[index] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** Yields combinations of one element of each list, at most so many: those with the first elements first. */
function* combinations(lists: readonly (readonly string[])[], most: number): Iterable<readonly string[]> {
  if (lists.some(list => list.length === 0)) return;
  const largest = lists.reduce((sum, list) => sum + list.length - 1, 0);
  let count = 0;
  for (let total = 0; total <= largest; total++) {
    for (const chosen of withSum(lists, total)) {
      if (count++ >= most) return;
      yield chosen;
    }
  }
}

/** Yields the combinations whose positions have a sum. */
function* withSum([list, ...others]: readonly (readonly string[])[], total: number): Iterable<readonly string[]> {
  if (list === undefined) {
    if (total === 0) yield [];
    return;
  }
  for (let at = 0; at <= Math.min(total, list.length - 1); at++) {
    for (const rest of withSum(others, total - at)) yield [list[at]!, ...rest];
  }
}

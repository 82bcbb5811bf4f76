import type { Graph, Signal } from '../logic/graph.ts';
import type { Language } from '../strings/language.ts';
import type { CellValue, TestMeaning } from '../theory/cell-values.ts';
import type { Vocabulary } from '../theory/vocabulary.ts';
import { addressNumber } from '../values/addresses.ts';
import type { IntSet } from '../values/int-set.ts';

/** Which end of a value keys are the beginning of: of a string, of a reversed string, or of the binary digits of a number. */
export type KeyKind = 'string' | 'reversed' | 'digits';

/** Returns the tests without which a formula does not hold. */
export function requiredTests(signal: Signal, vocabulary: Vocabulary): readonly TestMeaning[] {
  return requiredAtoms(signal, vocabulary.graph).flatMap(atom => {
    const meaning = vocabulary.meaningOf(atom);
    return meaning.kind === 'free' || meaning.kind === 'same' || meaning.kind === 'difference' ? [] : [meaning];
  });
}

function requiredAtoms(signal: Signal, graph: Graph): readonly Signal[] {
  const gate = graph.gateOf(signal);
  if (signal < 0 || gate.kind === 'constant') return [];
  return gate.kind === 'atom' ? [signal] : gate.inputs.flatMap(input => requiredAtoms(input, graph));
}

/** Returns strings of which each value that passes a test starts with one; undefined if none are known, or too many. */
export function keysOf(test: TestMeaning, kind: KeyKind): readonly string[] | undefined {
  const keys = allKeysOf(test, kind);
  return keys === undefined || keys.length > MOST_KEYS || keys.includes('') ? undefined : keys;
}

const MOST_KEYS = 256;

/** Returns keys of the values that have both some of the first keys and some of the others. */
export function commonKeys(keys: readonly string[], others: readonly string[]): readonly string[] {
  if (keys.length * others.length > MOST_KEYS) return keys.length < others.length ? keys : others;
  return keys.flatMap(key =>
    others.flatMap(other => (key.startsWith(other) ? [key] : other.startsWith(key) ? [other] : [])),
  );
}

function allKeysOf(test: TestMeaning, kind: KeyKind): readonly string[] | undefined {
  if (kind === 'digits')
    return test.kind === 'addresses' || test.kind === 'integers' ? commonDigits(test.set) : undefined;
  if (test.kind !== 'language') return undefined;
  if (kind === 'string') return beginningsOf(test.language);
  const { words, suffix } = test.language.definition;
  return words?.map(word => `${reversed(word)}${ENDING}`) ?? (suffix === undefined ? undefined : [reversed(suffix)]);
}

/** Follows each string that is known as a whole. It is no character, so that no string contains it. */
const ENDING = '\uDFFF';

function beginningsOf(language: Language): readonly string[] {
  const { words, prefixes } = language.definition;
  return words?.map(word => `${word}${ENDING}`) ?? prefixes ?? [language.commonPrefix()];
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** Returns the digits that all numbers of each range begin with. */
function commonDigits(set: IntSet): readonly string[] | undefined {
  if (set.length > MOST_KEYS) return undefined;
  return set.map(([first, last]) => {
    const [a, b] = [digitsOf(first), digitsOf(last)];
    let length = 0;
    while (length < DIGITS && a[length] === b[length]) length++;
    return a.slice(0, length);
  });
}

/** The length of the key of a number. */
export const DIGITS = 130;
const OFFSET = 2n ** 100n;

function digitsOf(value: bigint): string {
  return (value + OFFSET).toString(2).padStart(DIGITS, '0');
}

/** Returns the string that the keys of all tests that a value passes are beginnings of. */
export function keyOfValue(value: string | bigint, kind: Exclude<KeyKind, 'reversed'>): string {
  if (kind === 'string') return `${value}${ENDING}`;
  return digitsOf(typeof value === 'bigint' ? value : addressNumber(value));
}

/** Returns a string that is a part of each string that passes a test, or of an element of each list; undefined if none is known. */
export function partOf(test: TestMeaning): string | undefined {
  if (test.kind !== 'language' && test.kind !== 'some' && test.kind !== 'element') return undefined;
  const { part, suffix, words, prefixes } = test.language.definition;
  const [only, ...others] = words ?? prefixes ?? [];
  const found = part ?? suffix ?? (others.length === 0 ? only : undefined) ?? test.language.commonPrefix();
  return found === '' ? undefined : found;
}

/** Returns the strings of a value: itself, or its elements; none of a list of objects. */
export function stringsOf(value: CellValue): readonly string[] {
  if (typeof value === 'bigint') return [];
  return typeof value === 'string' ? [value] : value.filter(one => typeof one === 'string');
}

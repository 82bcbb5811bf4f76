import type { Signal } from '../logic/graph.ts';
import type { Language } from '../strings/language.ts';
import { includes } from '../values/int-set.ts';
import type { Meaning, Vocabulary } from './vocabulary.ts';

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
    const { cell, index } = meaning.cell.computed!.operand;
    const about = index === undefined ? ({ kind: 'language' } as const) : ({ kind: 'element', index } as const);
    found.set(vocabulary.atom({ ...about, cell, language }), literal);
  }
  return found;
}

/** Returns the strings from which a literal can follow; undefined if it is not about a value that is computed from a string. */
function languageFor(literal: Signal, meaning: Meaning, vocabulary: Vocabulary): Language | undefined {
  const { computed, id } = meaning.cell;
  const isTested = meaning.kind === 'language' || meaning.kind === 'integers' || meaning.kind === 'free';
  if (computed === undefined || !isTested) return undefined;
  const { part, apply, isAlways, pieces } = computed;
  // What does not exist makes it fail, too.
  if (part === 'failure' && !isAlways) return undefined;
  const isWanted = literal > 0;
  const key = `computed:${id}:${literal}`;
  return vocabulary.language(key, () => ({
    test: text => {
      const value = apply(text);
      if (part === 'failure') return (value === undefined) === isWanted;
      return value === undefined || holdsFor(meaning, value) === isWanted;
    },
    samples: operandsFor(meaning, pieces),
  }));
}

function holdsFor(meaning: Meaning, value: string | boolean | bigint): boolean {
  if (meaning.kind === 'language') return meaning.language.test(String(value));
  return meaning.kind === 'integers' ? includes(meaning.set, value as bigint) : value === true;
}

/** Returns strings that may lead to a value, made up of what it is compared with and of strings in the expression. */
function operandsFor(meaning: Meaning, pieces: readonly string[]): readonly string[] {
  const wanted = meaning.kind === 'language' ? meaning.language.definition.samples.slice(0, MAX_WANTED) : [''];
  const longer = meaning.kind === 'integers' ? meaning.set.flat().filter(one => one > 0n && one < MAX_COUNT) : [];
  const around = ['', '/', 'a', 'aa', '/a', ...pieces.slice(0, MAX_PIECES)];
  const found = wanted.flatMap(text => around.flatMap(one => [`${one}${text}`, `${text}${one}`, `/${text}${one}`]));
  const joined = pieces.slice(0, MAX_PIECES).flatMap(piece => pieces.map(other => `${piece}${other}`));
  const counted = longer.flatMap(count => {
    const filling = 'a'.repeat(Number(count));
    return around.flatMap(one => [`${filling}${one}`, `/${filling.slice(1)}${one}`, one.repeat(Number(count))]);
  });
  return [...new Set([...found, ...joined, ...counted])];
}

const MAX_WANTED = 4;
const MAX_PIECES = 4;
const MAX_COUNT = 40n;

import { cutsAround, type LazyAutomaton, mergeCuts } from './automaton.ts';
import type { Intern, Language } from './language.ts';
import { codePointsOf } from './literal-automata.ts';

/** A function from strings to strings. */
export interface StringFunction {
  readonly key: string;
  readonly apply: (text: string) => string;
  /** Turns an automaton for results into one for arguments. */
  readonly preimage: (automaton: LazyAutomaton, isComplement: boolean) => LazyAutomaton;
}

/** Returns the strings that a function maps into a language. */
export function preimageLanguage(
  intern: Intern,
  language: Language,
  { key, apply, preimage }: StringFunction,
): Language {
  return intern(`${key}:${language.key}`, () => ({
    test: text => language.test(apply(text)),
    automaton: isComplement => {
      const inner = language.lazy(isComplement);
      return inner && preimage(inner, isComplement);
    },
    samples: language.definition.samples,
  }));
}

/** `text + suffix`. */
export function appending(suffix: string): StringFunction {
  return {
    key: `+${suffix}`,
    apply: text => text + suffix,
    preimage: inner => ({ ...inner, accepts: state => inner.accepts(run(inner, state, suffix)) }),
  };
}

/** `prefix + text`. */
export function prepending(prefix: string): StringFunction {
  return {
    key: `${prefix}+`,
    apply: text => prefix + text,
    preimage: inner => ({ ...inner, start: run(inner, inner.start, prefix) }),
  };
}

function run({ next }: LazyAutomaton, start: number, text: string): number {
  return codePointsOf(text).reduce(next, start);
}

/** A function that maps each character by itself, such as conversion to lower case. */
interface CharacterMapping {
  readonly key: string;
  readonly apply: (text: string) => string;
  /** Returns the characters that it changes. */
  readonly changed: () => readonly number[];
}

/** ASCII letters to lower case. */
export const LOWER_ASCII: CharacterMapping = {
  key: 'lowerAscii',
  apply: text => text.replace(/[A-Z]+/g, letters => letters.toLowerCase()),
  changed: () => Array.from({ length: 26 }, (_, at) => 0x41 + at),
};

/** ASCII letters to upper case. */
export const UPPER_ASCII: CharacterMapping = {
  key: 'upperAscii',
  apply: text => text.replace(/[a-z]+/g, letters => letters.toUpperCase()),
  changed: () => Array.from({ length: 26 }, (_, at) => 0x61 + at),
};

/** All letters to lower or upper case. */
export function unicodeMapping(key: 'lower' | 'upper'): CharacterMapping {
  const apply = key === 'lower' ? (text: string) => text.toLowerCase() : (text: string) => text.toUpperCase();
  return { key, apply, changed: () => changedBy(apply) };
}

/** Takes some ms: it looks at all characters. */
function changedBy(apply: (text: string) => string): readonly number[] {
  const changed: number[] = [];
  for (let point = 0; point < LAST_CASED; point++) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const text = String.fromCodePoint(point);
    if (apply(text) !== text) changed.push(point);
  }
  return changed;
}

/** No letter beyond has another case (Unicode 17). */
const LAST_CASED = 0x2_0000;

const SIGMA = 0x3a3;
/** The state after a capital sigma whose lower case depends on its neighbours: it may be inside and outside. */
const EITHER = -1_000_003;

/** Returns the function as it acts on whole strings. Computes the images of characters when they are first needed. */
export function mappingFunction(mapping: CharacterMapping): StringFunction {
  let images: ReadonlyMap<number, readonly number[]> | undefined;
  const preimage = (inner: LazyAutomaton, isComplement: boolean): LazyAutomaton => {
    images ??= imagesOf(mapping);
    return preimageOf(inner, images, { isLower: mapping.key === 'lower', isComplement });
  };
  return { key: mapping.key, apply: mapping.apply, preimage };
}

function imagesOf({ apply, changed }: CharacterMapping): ReadonlyMap<number, readonly number[]> {
  return new Map(changed().map(point => [point, codePointsOf(apply(String.fromCodePoint(point)))]));
}

function preimageOf(
  inner: LazyAutomaton,
  images: ReadonlyMap<number, readonly number[]>,
  { isLower, isComplement }: { readonly isLower: boolean; readonly isComplement: boolean },
): LazyAutomaton {
  return {
    cuts: mergeCuts([inner.cuts, cutsAround(images.keys())]),
    start: inner.start,
    next: (state, point) => {
      if (state === EITHER) return EITHER;
      const target = (images.get(point) ?? [point]).reduce(inner.next, state);
      const isOpen = isLower && point === SIGMA && inner.next(state, FINAL_SIGMA) !== target;
      return isOpen ? EITHER : target;
    },
    accepts: state => (state === EITHER ? !isComplement : inner.accepts(state)),
  };
}

const FINAL_SIGMA = 0x3c2;

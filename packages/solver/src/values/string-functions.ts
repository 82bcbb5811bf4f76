// Functions of strings with constant arguments that read a string from left to right: where a string occurs, what replaces it, and parts
// between positions or separators. Each is an automaton that feeds what it reads to the automaton of its results.

import { cutsAround, type LazyAutomaton, mergeCuts } from './automaton.ts';
import { type IntSet, includes, keyOf } from './int-set.ts';
import { type Intern, type Language, sizeLanguage } from './language.ts';
import { codePointsOf, matcher } from './literal-automata.ts';
import type { StringFunction } from './preimages.ts';

/** A function that fails for some strings. */
export interface PartialFunction extends StringFunction {
  /** Returns the strings for which it does not fail. */
  readonly domain: (intern: Intern) => Language;
}

/** Larger constants are not worth an automaton. */
const MAX_CONSTANT = 64;

/** `text.replace(part, by)`; undefined for an empty part, which occurs everywhere. */
export function replacing(part: string, by: string): StringFunction | undefined {
  if (part === '' || part.length > MAX_CONSTANT || by.length > MAX_CONSTANT) return undefined;
  const replacement = codePointsOf(by);
  return {
    key: `replace:${JSON.stringify([part, by])}`,
    apply: text => text.replaceAll(part, () => by),
    preimage: inner =>
      scanning(part, inner.cuts, {
        start: inner.start,
        next: (state, symbol) => (symbol === FOUND ? replacement.reduce(inner.next, state) : inner.next(state, symbol)),
        accepts: inner.accepts,
      }),
  };
}

/** `text.split(separator)[index]`; undefined for an empty separator. */
export function splitAt(separator: string, index: number): PartialFunction | undefined {
  if (separator === '' || separator.length > MAX_CONSTANT || index >= MAX_CONSTANT) return undefined;
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return {
    key: `split:${JSON.stringify([separator, index])}`,
    apply: text => text.split(separator)[index] ?? '',
    domain: intern => partsLanguage(intern, separator, [[BigInt(index) + 1n, most]])!,
    preimage: inner => {
      const states = new Tuples();
      return scanning(separator, inner.cuts, {
        start: states.numberOf([0, inner.start]),
        next: (state, symbol) => {
          const [count, own] = states.at(state);
          if (symbol === FOUND) return count! > index ? state : states.numberOf([count! + 1, own!]);
          return count === index ? states.numberOf([count, inner.next(own!, symbol)]) : state;
        },
        accepts: state => inner.accepts(states.at(state)[1]!),
      });
    },
  };
}

/** The strings that a separator splits into a number of parts in the set; undefined for large numbers. */
export function partsLanguage(intern: Intern, separator: string, set: IntSet): Language | undefined {
  const last = lastOf(set);
  if (separator === '' || last === undefined) return undefined;
  return intern(`parts:${JSON.stringify(separator)}:${keyOf(set)}`, () => ({
    test: text => includes(set, BigInt(text.split(separator).length)),
    automaton: () =>
      scanning(separator, [0], {
        start: 1,
        next: (count, symbol) => (symbol === FOUND ? Math.min(count + 1, last + 1) : count),
        accepts: count => includes(set, BigInt(count)),
      }),
    samples: [],
  }));
}

/** `text.substring(from)`, or `text.substring(from, to)`; undefined for large positions. */
export function cutting(from: number, to?: number): PartialFunction | undefined {
  if (from > MAX_CONSTANT || (to ?? from) > MAX_CONSTANT || (to ?? from) < from) return undefined;
  return {
    key: `substring:${from}:${to}`,
    apply: text => Array.from(text).slice(from, to).join(''),
    domain: intern => sizeLanguage(intern, [[BigInt(to ?? from), SIZES]]),
    preimage: inner => skipping(from, to === undefined ? inner : taking(to - from, inner)),
  };
}

/** `text.charAt(position)`, which is empty at the end of the string; undefined for large positions. */
export function characterAt(position: number): PartialFunction | undefined {
  const found = cutting(position, position + 1);
  return (
    found && {
      ...found,
      key: `charAt:${position}`,
      domain: intern => sizeLanguage(intern, [[BigInt(position), SIZES]]),
    }
  );
}

const SIZES = 2n ** 63n - 1n;

/** `text.trim()`. */
export const TRIMMING: StringFunction = {
  key: 'trim',
  apply: text => text.replace(/^[\p{White_Space}]+|[\p{White_Space}]+$/gu, ''),
  preimage: inner => {
    // Where the results are after the last visible character, and after the blanks behind it.
    const states = new Tuples();
    const isBlank = (point: number) => BLANKS.has(point);
    const start = states.numberOf([0, inner.start, inner.start]);
    return {
      cuts: mergeCuts([inner.cuts, cutsAround(BLANKS)]),
      start,
      next: (state, point) => {
        const [isInside, own, ahead] = states.at(state);
        if (isBlank(point)) return isInside === 1 ? states.numberOf([1, own!, inner.next(ahead!, point)]) : state;
        const next = inner.next(ahead!, point);
        return states.numberOf([1, next, next]);
      },
      accepts: state => inner.accepts(states.at(state)[1]!),
    };
  },
};

/** Unicode's White_Space. */
const BLANKS: ReadonlySet<number> = new Set([
  ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
  ...Array.from({ length: 11 }, (_, at) => 0x2000 + at),
]);

/** The strings in which another one first occurs, from a position on, at a position in the set; -1 stands for nowhere. */
export function firstAtLanguage(intern: Intern, part: string, from: number, set: IntSet): Language | undefined {
  const last = lastOf(set);
  if (part === '' || part.length > MAX_CONSTANT || from > MAX_CONSTANT || last === undefined) return undefined;
  const [end, missing] = [Math.max(last, from) + 1, -1];
  // Counts up to where all positions are alike; the positions found follow.
  const found = (count: number) => -2 - count;
  return intern(`first:${JSON.stringify([part, from])}:${keyOf(set)}`, () => ({
    test: text => includes(set, BigInt(positionIn(text, part, from))),
    automaton: () =>
      skipping(
        from,
        scanning(part, [0], {
          start: from,
          next: (state, symbol) => {
            if (state < 0) return state;
            return symbol === FOUND ? found(state) : Math.min(state + 1, end);
          },
          accepts: state => includes(set, BigInt(state < 0 ? -2 - state : missing)),
        }),
      ),
    samples: [],
  }));
}

function positionIn(text: string, part: string, from: number): number {
  const characters = Array.from(text);
  const rest = characters.slice(from).join('');
  const at = rest.indexOf(part);
  return at < 0 ? -1 : Math.min(from, characters.length) + Array.from(rest.slice(0, at)).length;
}

/** The strings in which another one last occurs at a position in the set; -1 stands for nowhere. */
export function lastAtLanguage(intern: Intern, part: string, set: IntSet): Language | undefined {
  const last = lastOf(set);
  if (part === '' || part.length > MAX_SHORT || last === undefined || last > MAX_SHORT) return undefined;
  const points = codePointsOf(part);
  const [size, far] = [points.length, last + 1];
  const matched = matcher(points);
  return intern(`last:${JSON.stringify(part)}:${keyOf(set)}`, () => ({
    test: text => {
      const at = text.lastIndexOf(part);
      return includes(set, BigInt(at < 0 ? -1 : Array.from(text.slice(0, at)).length));
    },
    automaton: () => {
      const states = new Tuples();
      return {
        cuts: cutsAround(points),
        start: states.numberOf([0, 0, -1]),
        next: (state, point) => {
          const [prefix, count, position] = states.at(state);
          const [next, read] = [matched(prefix!, point), Math.min(count! + 1, far + size)];
          const isFound = next === size;
          return states.numberOf([next, read, isFound ? Math.min(read - size, far) : position!]);
        },
        accepts: state => includes(set, BigInt(states.at(state)[2]!)),
      };
    },
    samples: [],
  }));
}

/** The number of states grows with the square of positions. */
const MAX_SHORT = 24;

/** Returns the last bound of a set beyond which all numbers are alike; undefined if it is large. */
function lastOf(set: IntSet): number | undefined {
  const bounds = set.flat().filter(one => one < FAR && one > -FAR);
  if (bounds.some(one => one > MAX_CONSTANT)) return undefined;
  return Math.max(0, ...bounds.map(Number)) + 1;
}

const FAR = 2n ** 50n;

/** Stands for the string that is sought in what is read. */
const FOUND = -1;

/** What follows the characters of a string, and where another string occurs in it. */
interface Consumer {
  readonly start: number;
  /** @param symbol a code point, or {@link FOUND} instead of the characters of an occurrence */
  readonly next: (state: number, symbol: number) => number;
  readonly accepts: (state: number) => boolean;
}

/** Reads a string in which another one, which is not empty, is sought from left to right; occurrences do not overlap. */
function scanning(part: string, cuts: LazyAutomaton['cuts'], { start, next, accepts }: Consumer): LazyAutomaton {
  const points = codePointsOf(part);
  const matched = matcher(points);
  const states = new Tuples();
  return {
    cuts: mergeCuts([cuts, cutsAround(points)]),
    start: states.numberOf([0, start]),
    next: (state, point) => {
      const [prefix, own] = states.at(state);
      const longer = matched(prefix!, point);
      if (longer === points.length) return states.numberOf([0, next(own!, FOUND)]);
      // What can no longer begin an occurrence is passed on.
      const passed = [...points.slice(0, prefix), point].slice(0, prefix! + 1 - longer);
      return states.numberOf([longer, passed.reduce(next, own!)]);
    },
    accepts: state => {
      const [prefix, own] = states.at(state);
      return accepts(points.slice(0, prefix).reduce(next, own!));
    },
  };
}

/** Reads what follows the first characters; of shorter strings, nothing. */
function skipping(count: number, inner: LazyAutomaton): LazyAutomaton {
  if (count === 0) return inner;
  const states = new Tuples();
  const skipped = (read: number) => states.numberOf(read < count ? [read] : [count, inner.start]);
  return {
    cuts: inner.cuts,
    start: skipped(0),
    next: (state, point) => {
      const [read, own] = states.at(state);
      return own === undefined ? skipped(read! + 1) : states.numberOf([count, inner.next(own, point)]);
    },
    accepts: state => {
      return inner.accepts(states.at(state)[1] ?? inner.start);
    },
  };
}

/** Reads the first characters, and ignores the rest. */
function taking(count: number, inner: LazyAutomaton): LazyAutomaton {
  const states = new Tuples();
  return {
    cuts: inner.cuts,
    start: states.numberOf([0, inner.start]),
    next: (state, point) => {
      const [read, own] = states.at(state);
      return read! < count ? states.numberOf([read! + 1, inner.next(own!, point)]) : state;
    },
    accepts: state => inner.accepts(states.at(state)[1]!),
  };
}

/** Numbers of states that are made up of several. */
class Tuples {
  readonly #tuples: (readonly number[])[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(tuple: readonly number[]): number {
    const key = tuple.join();
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#tuples.push(tuple) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  at(number: number): readonly number[] {
    return this.#tuples[number]!;
  }
}

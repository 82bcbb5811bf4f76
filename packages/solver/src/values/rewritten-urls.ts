import { type Automaton, acceptsString, type LazyAutomaton, mergeCuts } from './automaton.ts';
import type { Intern, Language } from './language.ts';
import { codePointsOf } from './literal-automata.ts';
import { KIND, type Kind, kindOf, type PatternProgram, patternProgram } from './pattern-automaton.ts';

// What a URL was before a `url-rewrite`. The language is a superset of that: what a capture group or a variable holds may be anything, and
// matches may be at any place where the pattern matches, also where the leftmost one is not. So a URL outside of it certainly leads elsewhere,
// and one inside of it may.

/** Replaces each match of an RE2 pattern by a template. */
export interface UrlRewrite {
  readonly from: string;
  readonly to: string;
}

/** Returns the URLs that a rewrite may turn into one of a language; undefined if that is not modelled. */
export function rewritableLanguage(intern: Intern, language: Language, { from, to }: UrlRewrite): Language | undefined {
  const program = patternProgram(from);
  const inner = language.minimal(false);
  if (program === undefined || inner === undefined || inner.size * program.size > MAX_SIZE) return undefined;
  return intern(`rewrite ${JSON.stringify([from, to])}:${language.key}`, () => {
    const automaton = preimage(inner, program, piecesOf(to));
    return {
      test: text => acceptsString(automaton, text),
      automaton: () => automaton,
      isPartial: true,
      samples: language.definition.samples,
    };
  });
}

/** States of the automaton times instructions of the pattern: a bound on the ways that are open at a time. */
const MAX_SIZE = 20_000;

/** Literal text, or undefined for what may be anything. */
type Piece = string | undefined;

/** An expression may contain any characters, so that nothing is known of what follows it. */
function piecesOf(template: string): readonly Piece[] {
  const end = template.indexOf('${');
  const known = end < 0 ? template : template.slice(0, end);
  const parts = known
    .split(/\$\w*\$?/)
    .flatMap((text, at): readonly Piece[] => (at === 0 ? [text] : [undefined, text]));
  return end < 0 ? parts : [...parts, undefined];
}

/** Where one way through a URL is: in a part that is copied, or in a match that is left out, which began at a state of the inner automaton. */
interface Way {
  readonly inner: number;
  /** The instruction of the pattern; undefined outside of a match. */
  readonly at: number | undefined;
}

interface Ways {
  readonly all: readonly Way[];
  /** The last character. */
  readonly last: Kind;
}

function preimage(inner: Automaton, program: PatternProgram, pieces: readonly Piece[]): LazyAutomaton {
  const sets: Ways[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (all: Iterable<Way>, last: Kind): number => {
    const keys = new Map([...all].map(way => [`${way.inner} ${way.at ?? ''}`, way]));
    const sorted = [...keys.keys()].sort();
    const key = `${last}:${sorted.join()}`;
    const known = numbers.get(key) ?? sets.push({ all: sorted.map(one => keys.get(one)!), last }) - 1;
    numbers.set(key, known);
    return known;
  };
  const expanded = expansions(inner, pieces);
  const { next, accepts } = inner;
  /** What a match leads to if it ends between two characters; ways outside of a match may begin one there. */
  const step = (state: number, point: number): number => {
    const { all, last } = sets[state]!;
    const kind = kindOf(point);
    const found: Way[] = [];
    const copy = (from: number) => found.push({ inner: next(from, point), at: undefined });
    const enter = (from: number, instruction: number): boolean => {
      const { readers, isMatch } = program.closure([instruction], last, kind);
      for (const reader of readers) {
        const target = program.read(reader, point);
        if (target !== undefined) found.push({ inner: from, at: target });
      }
      return isMatch;
    };
    const outside = (from: number) => {
      copy(from);
      if (enter(from, program.start)) for (const to of expanded(from)) copy(to);
    };
    for (const way of all) {
      if (way.at === undefined) outside(way.inner);
      else if (enter(way.inner, way.at)) for (const to of expanded(way.inner)) outside(to);
    }
    return numberOf(found, kind);
  };
  const ends = (state: number): boolean => {
    const { all, last } = sets[state]!;
    return all.some(way => {
      if (way.at === undefined && accepts(way.inner)) return true;
      const { isMatch } = program.closure([way.at ?? program.start], last, KIND.edge);
      return isMatch && [...expanded(way.inner)].some(accepts);
    });
  };
  return {
    cuts: mergeCuts([inner.cuts, program.cuts]),
    start: numberOf([{ inner: inner.start, at: undefined }], KIND.edge),
    next: step,
    accepts: ends,
  };
}

/** Returns a function from a state to those that the template may lead to. */
function expansions(inner: Automaton, pieces: readonly Piece[]): (state: number) => ReadonlySet<number> {
  const known = new Map<number, ReadonlySet<number>>();
  return state => {
    let found = known.get(state);
    if (found === undefined) {
      found = pieces.reduce<ReadonlySet<number>>(
        (states, piece) =>
          piece === undefined
            ? reachable(inner, states)
            : new Set(Array.from(states, one => codePointsOf(piece).reduce(inner.next, one))),
        new Set([state]),
      );
      known.set(state, found);
    }
    return found;
  };
}

function reachable({ cuts, next }: Automaton, from: ReadonlySet<number>): ReadonlySet<number> {
  const found = new Set(from);
  for (const state of found) for (const cut of cuts) found.add(next(state, cut));
  return found;
}

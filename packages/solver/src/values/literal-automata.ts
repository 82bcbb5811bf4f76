import { cutsAround, type LazyAutomaton } from './automaton.ts';

/** Returns the code points of a string. */
export function codePointsOf(text: string): readonly number[] {
  return Array.from(text, character => character.codePointAt(0)!);
}

/** A tree of strings in which each path is one of them. */
interface Trie {
  readonly children: readonly ReadonlyMap<number, number>[];
  /** The index of the string that ends at a node. */
  readonly ends: readonly (number | undefined)[];
}

/** Returns the tree of these strings. Node 0 is the root. */
function trieOf(texts: readonly string[]): Trie {
  const children: Map<number, number>[] = [new Map()];
  const ends: (number | undefined)[] = [undefined];
  texts.forEach((text, index) => {
    let node = 0;
    for (const point of codePointsOf(text)) {
      let child = children[node]!.get(point);
      if (child === undefined) {
        child = children.push(new Map()) - 1;
        ends.push(undefined);
        children[node]!.set(point, child);
      }
      node = child;
    }
    ends[node] ??= index;
  });
  return { children, ends };
}

const DEAD = -1;

/** Accepts exactly these strings. */
export function oneOf(texts: readonly string[]): LazyAutomaton {
  const { children, ends } = trieOf(texts);
  return {
    cuts: cutsAround(texts.flatMap(codePointsOf)),
    start: 0,
    next: (state, point) => (state === DEAD ? DEAD : (children[state]!.get(point) ?? DEAD)),
    accepts: state => state !== DEAD && ends[state] !== undefined,
  };
}

/** Accepts the strings that start with one of these. */
export function startsWith(texts: readonly string[]): LazyAutomaton {
  const { children, ends } = trieOf(texts);
  return {
    cuts: cutsAround(texts.flatMap(codePointsOf)),
    start: 0,
    next: (state, point) => {
      if (state === DEAD || ends[state] !== undefined) return state;
      return children[state]!.get(point) ?? DEAD;
    },
    accepts: state => state !== DEAD && ends[state] !== undefined,
  };
}

/** Accepts the strings that contain this one. The state is the length of the longest prefix of it that ends here. */
export function contains(text: string): LazyAutomaton {
  const points = codePointsOf(text);
  const next = matcher(points);
  const end = points.length;
  return {
    cuts: cutsAround(points),
    start: 0,
    next: (state, point) => (state === end ? end : next(state, point)),
    accepts: state => state === end,
  };
}

/** Accepts the strings that end with this one. */
export function endsWith(text: string): LazyAutomaton {
  const points = codePointsOf(text);
  return { cuts: cutsAround(points), start: 0, next: matcher(points), accepts: state => state === points.length };
}

/**
 * The search of Knuth, Morris and Pratt: returns how many characters of the string that is sought end here, after so many and another one.
 */
export function matcher(points: readonly number[]): (state: number, point: number) => number {
  const fallback = [0, 0];
  for (let at = 1; at < points.length; at++) {
    let length = fallback[at]!;
    while (length > 0 && points[length] !== points[at]) length = fallback[length]!;
    fallback[at + 1] = points[length] === points[at] ? length + 1 : 0;
  }
  return (state, point) => {
    let length = state;
    while (length > 0 && points[length] !== point) length = fallback[length]!;
    return points[length] === point ? length + 1 : 0;
  };
}

/** Accepts the strings whose number of characters is accepted; all beyond `last` are treated like `last`. */
export function lengths(isAccepted: (length: number) => boolean, last: number): LazyAutomaton {
  return { cuts: [0], start: 0, next: state => Math.min(state + 1, last), accepts: isAccepted };
}

/** Accepts the strings that come before this one in the order of code points. */
export function before(text: string): LazyAutomaton {
  const points = codePointsOf(text);
  const [less, greater] = [points.length + 1, points.length + 2];
  return {
    cuts: cutsAround(points),
    start: 0,
    next: (state, point) => {
      if (state >= less) return state;
      const own = points[state];
      if (own === undefined || point > own) return greater;
      return point < own ? less : state + 1;
    },
    accepts: state => state < points.length || state === less,
  };
}

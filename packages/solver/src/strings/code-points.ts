/** Ascending code points, the first of them 0: all code points from one cut up to the next behave alike. */
export type Cuts = readonly number[];

/** One more than the last code point. */
export const END = 0x11_0000;

/** Strings are sequences of characters, and surrogates are none. */
const SURROGATES: Cuts = [0xd800, 0xe000];

/** Returns the cuts of several automata together. */
export function mergeCuts(all: Iterable<Cuts>): Cuts {
  const merged = new Set<number>([0, ...SURROGATES]);
  for (const cuts of all) for (const cut of cuts) merged.add(cut);
  return [...merged].sort((a, b) => a - b);
}

/** Returns the cuts that separate each of these code points from all others. */
export function cutsAround(points: Iterable<number>): Cuts {
  const cuts = new Set<number>([0]);
  for (const point of points) {
    cuts.add(point);
    if (point + 1 < END) cuts.add(point + 1);
  }
  return [...cuts].sort((a, b) => a - b);
}

/** Returns the index of the last cut that is not greater than a code point. */
export function intervalOf(cuts: Cuts, point: number): number {
  let [low, high] = [0, cuts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cuts[middle]! <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Ranges of characters, the most readable first, with the cost of using one in a witness. */
const READABLE: readonly (readonly [first: number, last: number, weight: number])[] = [
  [0x61, 0x7a, 10],
  [0x30, 0x39, 11],
  [0x41, 0x5a, 12],
  [0x2d, 0x2f, 13],
  [0x5f, 0x5f, 13],
  [0x21, 0x7e, 18],
  [0x20, 0x20, 24],
  [0xa1, 0xd7ff, 40],
  [0xe000, END - 1, 60],
  [0x00, END - 1, 90],
];

/** The least weight of a character. */
export const LEAST_WEIGHT = 10;

/** A character and its cost. */
export interface Representative {
  readonly point: number;
  readonly weight: number;
}

/** Returns the most readable code point of a half-open interval; undefined for surrogates. */
export function representativeOf(first: number, end: number): Representative | undefined {
  if (first >= 0xd800 && first < 0xe000) return undefined;
  for (const [low, high, weight] of READABLE) {
    const point = Math.max(first, low);
    if (point < end && point <= high) return { point, weight };
  }
  return undefined;
}

import { compareStrings } from '@tollgate/cel/tooling';

/** The keys of one set are all numbers (of either JavaScript type) or all strings. */
export type Key = number | bigint | string;

/** A cut just below or just above `at`. */
export interface Cut {
  readonly at: Key;
  readonly above: boolean;
}

/** A set of ordered values. Membership changes at each cut; cuts are sorted. */
export interface RangeSet {
  readonly startsInside: boolean;
  readonly cuts: readonly Cut[];
}

export const NOTHING: RangeSet = { startsInside: false, cuts: [] };

/** Returns all values between two cuts. */
export function between(from: Cut, to: Cut): RangeSet {
  return compareCuts(from, to) < 0 ? { startsInside: false, cuts: [from, to] } : NOTHING;
}

export function below(at: Key): Cut {
  return { at, above: false };
}

export function above(at: Key): Cut {
  return { at, above: true };
}

export function isNothing({ startsInside, cuts }: RangeSet): boolean {
  return !startsInside && cuts.length === 0;
}

export function without(a: RangeSet, b: RangeSet): RangeSet {
  return combine(a, { startsInside: !b.startsInside, cuts: b.cuts }, true);
}

export function intersection(a: RangeSet, b: RangeSet): RangeSet {
  return combine(a, b, true);
}

export function union(a: RangeSet, b: RangeSet): RangeSet {
  return combine(a, b, false);
}

export function isSubset(a: RangeSet, b: RangeSet): boolean {
  return isNothing(without(a, b));
}

export function contains({ startsInside, cuts }: RangeSet, key: Key): boolean {
  let inside = startsInside;
  for (const cut of cuts) {
    const order = compareKeys(cut.at, key);
    if (order > 0 || (order === 0 && cut.above)) break;
    inside = !inside;
  }
  return inside;
}

/** Merges the cuts of both sets; linear. */
function combine(a: RangeSet, b: RangeSet, needsBoth: boolean): RangeSet {
  // Most queries are about booleans, which have no ranges.
  if (a.cuts.length === 0) return a.startsInside === needsBoth ? b : a;
  if (b.cuts.length === 0) return b.startsInside === needsBoth ? a : b;
  const isInside = needsBoth ? both : either;
  let [inA, inB] = [a.startsInside, b.startsInside];
  const startsInside = isInside(inA, inB);
  let inside = startsInside;
  const cuts: Cut[] = [];
  for (let i = 0, j = 0; i < a.cuts.length || j < b.cuts.length; ) {
    const [cutA, cutB] = [a.cuts[i], b.cuts[j]];
    const order = cutA === undefined ? 1 : cutB === undefined ? -1 : compareCuts(cutA, cutB);
    const cut = order <= 0 ? cutA! : cutB!;
    if (order <= 0) {
      inA = !inA;
      i++;
    }
    if (order >= 0) {
      inB = !inB;
      j++;
    }
    if (isInside(inA, inB) !== inside) {
      inside = !inside;
      cuts.push(cut);
    }
  }
  return { startsInside, cuts };
}

function both(a: boolean, b: boolean): boolean {
  return a && b;
}

function either(a: boolean, b: boolean): boolean {
  return a || b;
}

function compareCuts(a: Cut, b: Cut): number {
  return compareKeys(a.at, b.at) || Number(a.above) - Number(b.above);
}

/** JavaScript compares numbers with bigints by mathematical value. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'string' || typeof b === 'string') return compareStrings(String(a), String(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

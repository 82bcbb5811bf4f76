/** A set of code points: ranges `[low, high]`, both inclusive, one after the other, ascending, with gaps between them. */
export type CharSet = readonly number[];

/** The greatest code point. */
export const LAST_CODE_POINT = 0x10ffff;

export function single(codePoint: number): CharSet {
  return [codePoint, codePoint];
}

/** @param ranges in any order, possibly overlapping */
export function normalize(ranges: readonly number[]): CharSet {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i]!, ranges[i + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const result: number[] = [];
  for (const [low, high] of pairs) {
    const last = result.length - 1;
    if (last > 0 && low <= result[last]! + 1) result[last] = Math.max(result[last]!, high);
    else result.push(low, high);
  }
  return result;
}

/** Returns the code points that are not in a set. */
export function negate(set: CharSet): CharSet {
  const result: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (set[i]! > next) result.push(next, set[i]! - 1);
    next = set[i + 1]! + 1;
  }
  if (next <= LAST_CODE_POINT) result.push(next, LAST_CODE_POINT);
  return result;
}

export function intersects(a: CharSet, b: CharSet): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i + 1]! < b[j]!) i += 2;
    else if (b[j + 1]! < a[i]!) j += 2;
    else return true;
  }
  return false;
}

export function isSingle(set: CharSet): boolean {
  return set.length === 2 && set[0] === set[1];
}

/** Returns the set closed under Unicode simple case folding; undefined if it has members beyond ASCII, which would require a table. */
export function foldAscii(set: CharSet): CharSet | undefined {
  if (set.length > 0 && set.at(-1)! > 0x7f) return undefined;
  const result = [...set];
  addShifted(result, set, UPPER_CASE, 32);
  addShifted(result, set, LOWER_CASE, -32);
  // The Kelvin sign and the long s.
  if (intersects(set, [0x4b, 0x4b, 0x6b, 0x6b])) result.push(0x212a, 0x212a);
  if (intersects(set, [0x53, 0x53, 0x73, 0x73])) result.push(0x17f, 0x17f);
  return normalize(result);
}

const UPPER_CASE = [0x41, 0x5a] as const;
const LOWER_CASE = [0x61, 0x7a] as const;

function addShifted(result: number[], set: CharSet, [first, last]: readonly [number, number], by: number): void {
  for (let i = 0; i < set.length; i += 2) {
    const low = Math.max(set[i]!, first);
    const high = Math.min(set[i + 1]!, last);
    if (low <= high) result.push(low + by, high + by);
  }
}

export function union(a: CharSet, b: CharSet): CharSet {
  return normalize([...a, ...b]);
}

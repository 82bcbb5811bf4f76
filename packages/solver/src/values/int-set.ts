/** Integers as disjoint ascending ranges; both ends are included. */
export type IntSet = readonly IntRange[];

/** Inclusive. */
export type IntRange = readonly [first: bigint, last: bigint];

/** The integers of CEL. */
export const INT64: IntRange = [-(2n ** 63n), 2n ** 63n - 1n];

/** Contains every value of every cell of integers: doubles and moments too. */
export const ANY_INTEGER: IntRange = [-(2n ** 80n), 2n ** 80n];

/** Returns the range, or no integer if it is empty. */
export function between(first: bigint, last: bigint): IntSet {
  return first > last ? [] : [[first, last]];
}

/** Returns the integers in any of the ranges. */
export function unionOf(ranges: readonly IntRange[]): IntSet {
  const merged: [bigint, bigint][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const before = merged.at(-1);
    if (before === undefined || first > before[1] + 1n) merged.push([first, last]);
    else if (last > before[1]) before[1] = last;
  }
  return merged;
}

/** Returns the integers in both sets. */
export function intersect(a: IntSet, b: IntSet): IntSet {
  const found: IntRange[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const first = larger(a[i]![0], b[j]![0]);
    const last = smaller(a[i]![1], b[j]![1]);
    if (first <= last) found.push([first, last]);
    if (a[i]![1] < b[j]![1]) i++;
    else j++;
  }
  return found;
}

function larger(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}

function smaller(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}

/** Returns the integers of a range that are not in the set. */
export function complement(set: IntSet, [first, last]: IntRange): IntSet {
  const found: IntRange[] = [];
  let from = first;
  for (const [low, high] of set) {
    if (low > from) found.push([from, low - 1n < last ? low - 1n : last]);
    if (high + 1n > from) from = high + 1n;
    if (from > last) return found;
  }
  found.push([from, last]);
  return found;
}

/** Returns true if the set contains the integer. */
export function includes(set: IntSet, value: bigint): boolean {
  return set.some(([first, last]) => first <= value && value <= last);
}

/** Returns a string that is equal for equal sets. */
export function keyOf(set: IntSet): string {
  return set.map(([first, last]) => `${first}-${last}`).join();
}

/** Returns the positions of sets that together leave nothing of the first range, chosen greedily; undefined if something is left. */
export function emptyTogether(sets: readonly IntSet[], [first, last]: IntRange): readonly number[] | undefined {
  const gaps = sets
    .flatMap((set, at) => complement(set, [first, last]).map(([low, high]) => ({ low, high, at })))
    .sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0));
  const used = new Set<number>();
  let from = first;
  for (let next = 0; from <= last; ) {
    let best: (typeof gaps)[number] | undefined;
    for (; next < gaps.length && gaps[next]!.low <= from; next++) {
      const gap = gaps[next]!;
      if (best === undefined || gap.high > best.high || (gap.high === best.high && used.has(gap.at))) best = gap;
    }
    if (best === undefined || best.high < from) return undefined;
    used.add(best.at);
    from = best.high + 1n;
  }
  return [...used].sort((a, b) => a - b);
}

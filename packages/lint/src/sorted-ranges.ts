import type { Range } from '@tollgate/diagnostics';

/**
 * Returns the index of the first range that starts at or after an offset; the number of ranges if there is none. The ranges must be
 * sorted.
 */
export function firstFrom(ranges: readonly Pick<Range, 'start'>[], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns true if one of the sorted ranges lies within `start` and `end`. */
export function isAnyWithin(ranges: readonly Range[], { start, end }: Range): boolean {
  for (let at = firstFrom(ranges, start); at < ranges.length && ranges[at]!.start <= end; at += 1)
    if (ranges[at]!.end <= end) return true;
  return false;
}

import type { Range } from '@tollgate/diagnostics';

/** The position of the first range that begins at an offset or behind it, of ranges in order; their number where none does. */
export function firstFrom(ranges: readonly Pick<Range, 'start'>[], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether one of the ranges, which are in order, begins from `start` on and ends by `end`. */
export function isAnyWithin(ranges: readonly Range[], { start, end }: Range): boolean {
  for (let at = firstFrom(ranges, start); at < ranges.length && ranges[at]!.start <= end; at += 1)
    if (ranges[at]!.end <= end) return true;
  return false;
}

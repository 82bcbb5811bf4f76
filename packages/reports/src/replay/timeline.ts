// Divides the time of a recording into columns of a plot.

import type { TimeSummary } from '@tollgate/simulator';

/** Consecutive intervals of time, one for each column of a plot. */
export interface Timeline {
  /** Start of the first column, in ms since 1970-01-01T00:00:00Z. */
  readonly start: number;
  /** Width of a column, in ms. */
  readonly width: number;
  readonly columns: number;
  /** Number of exchanges without a column, because they are far away from all others. */
  readonly outside: number;
  /** Adds up the counts of {@link TimeSummary} by column. */
  readonly spread: (counts: readonly number[]) => readonly number[];
}

/** Maximum fraction of exchanges to leave out, so that one wrong clock does not compress all others into one column. */
const STRAY_SHARE = 0.001;
/** Minimum factor by which this must shorten the time. */
const STRAY_FACTOR = 20;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Readable widths of columns: they divide the minute, the hour or the day. */
const WIDTHS: readonly number[] = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 20, 30].map(count => count * SECOND),
  ...[1, 2, 5, 10, 15, 20, 30].map(count => count * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map(count => count * HOUR),
  ...[1, 2, 3, 4, 5, 7, 14, 28].map(count => count * DAY),
];

/** Divides the time into at most this many columns; undefined if fewer than two times are known. */
export function timelineOf({ width, starts, exchanges }: TimeSummary, maxColumns: number): Timeline | undefined {
  if (starts.length < 2) return undefined;
  const [from, to] = mainRange(starts, exchanges);
  const ends = [starts[from]!, starts[to - 1]!] as const;
  const each = columnWidth(width, ends, maxColumns);
  const first = Math.floor(ends[0] / each);
  const columns = Math.floor(ends[1] / each) - first + 1;
  const spread = (counts: readonly number[]) => {
    const sums = Array.from({ length: columns }, () => 0);
    for (let index = from; index < to; index++) sums[Math.floor(starts[index]! / each) - first]! += counts[index] ?? 0;
    return sums;
  };
  const inside = sum(exchanges.slice(from, to));
  return { start: first * each, width: each, columns, outside: sum(exchanges) - inside, spread };
}

/** Returns a multiple of the interval width, so that no interval spans two columns. */
function columnWidth(width: number, [start, end]: readonly [number, number], maxColumns: number): number {
  const fits = (each: number) => Math.floor(end / each) - Math.floor(start / each) < maxColumns;
  const readable = WIDTHS.find(each => each % width === 0 && fits(each));
  if (readable !== undefined) return readable;
  let each = Math.ceil(Math.max(width, WIDTHS.at(-1)!) / width) * width;
  while (!fits(each)) each *= 2;
  return each;
}

/** Returns the shortest range of intervals with almost all exchanges if it is much shorter than the whole; half-open indexes. */
function mainRange(starts: readonly number[], exchanges: readonly number[]): readonly [from: number, to: number] {
  const needed = sum(exchanges) * (1 - STRAY_SHARE);
  let best: readonly [number, number] = [0, starts.length];
  let [from, held] = [0, 0];
  for (let to = 1; to <= starts.length; to++) {
    held += exchanges[to - 1]!;
    while (held - exchanges[from]! >= needed) held -= exchanges[from++]!;
    if (held >= needed && span(starts, [from, to]) < span(starts, best)) best = [from, to];
  }
  const whole = [0, starts.length] as const;
  return span(starts, best) * STRAY_FACTOR < span(starts, whole) ? best : whole;
}

function span(starts: readonly number[], [from, to]: readonly [number, number]): number {
  return starts[to - 1]! - starts[from]!;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

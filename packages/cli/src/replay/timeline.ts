import type { TimeSummary } from '@tollgate/simulator';

/** Stretches of time, without a gap: each a column of a plot. */
export interface Timeline {
  /** When the first column begins, in ms since 1970-01-01T00:00:00Z. */
  readonly start: number;
  /** Of a column, in ms. */
  readonly width: number;
  readonly columns: number;
  /** Exchanges far away from all others, which have no column. */
  readonly outside: number;
  /** Puts counts of the stretches of {@link TimeSummary} into the columns. */
  readonly spread: (counts: readonly number[]) => readonly number[];
}

/** Of the exchanges, those that may lie far away: one clock that is wrong must not press all others into one column. */
const STRAY_SHARE = 0.001;
/** How much shorter the time has to be without them. */
const STRAY_FACTOR = 20;

/** Lays stretches of time out in at most so many columns; undefined when there is no time, or but one. */
export function timelineOf({ width, starts, exchanges }: TimeSummary, maxColumns: number): Timeline | undefined {
  if (starts.length < 2) return undefined;
  const [from, to] = mainStretch(starts, exchanges);
  const start = starts[from]!;
  const stretches = Math.round((starts[to - 1]! - start) / width) + 1;
  const stretchesEach = Math.ceil(stretches / maxColumns);
  const columns = Math.ceil(stretches / stretchesEach);
  const spread = (counts: readonly number[]) => {
    const sums = Array.from({ length: columns }, () => 0);
    for (let index = from; index < to; index++) {
      const column = Math.floor(Math.round((starts[index]! - start) / width) / stretchesEach);
      sums[column]! += counts[index] ?? 0;
    }
    return sums;
  };
  const inside = sum(exchanges.slice(from, to));
  return { start, width: width * stretchesEach, columns, outside: sum(exchanges) - inside, spread };
}

/** The shortest stretch that holds nearly all, where it is much shorter than the whole; as half-open indexes. */
function mainStretch(starts: readonly number[], exchanges: readonly number[]): readonly [from: number, to: number] {
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

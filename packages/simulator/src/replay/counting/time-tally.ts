/** The counts of one interval. */
interface TimeBucket {
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly start: number;
  readonly exchanges: number;
  /** By series; trailing zeros may be missing. */
  readonly series: readonly number[];
}

/** The counts of {@link TimeTally} as plain data. */
export interface TimeData {
  /** Of an interval, in ms. */
  readonly width: number;
  /** In order of time, without empty ones. */
  readonly buckets: readonly TimeBucket[];
  /** Exchanges whose time is unknown. */
  readonly untimed: number;
}

interface Row {
  exchanges: number;
  readonly series: number[];
}

/** The number of non-empty intervals that are kept. */
export const MAX_BUCKETS = 240;

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** Widths in ms. Each divides the next, so that finer intervals can be merged into coarser ones without loss. */
export const WIDTHS: readonly number[] = [
  ...[10, 100, SECOND, 5 * SECOND, 15 * SECOND, 60 * SECOND, 300 * SECOND, 900 * SECOND],
  ...[HOUR, 3 * HOUR, 12 * HOUR, DAY, 7 * DAY, 28 * DAY, 364 * DAY, 3640 * DAY, 36_400 * DAY, 3_640_000 * DAY],
];

/** The largest time of a JavaScript date. */
const MAX_TIME = 8.64e15;

/** Counts by time, in intervals as short as their number allows. Their width depends only on the times, not on their order. */
export class TimeTally {
  #step = 0;
  #rows = new Map<number, Row>();
  #untimed = 0;
  #lastIndex = Number.NaN;
  #last: Row = { exchanges: 0, series: [] };
  readonly #seriesCount: number;

  /** @param seriesCount the number of series known at the start; more may follow */
  constructor(seriesCount: number) {
    this.#seriesCount = seriesCount;
  }

  /** Counts an exchange, and returns the counts of its interval by series. */
  add(time: number | undefined): number[] | undefined {
    if (time === undefined || !(Math.abs(time) <= MAX_TIME)) {
      this.#untimed++;
      return undefined;
    }
    const row = this.#rowAt(Math.floor(time));
    row.exchanges++;
    return row.series;
  }

  data(): TimeData {
    const width = WIDTHS[this.#step]!;
    const rows = [...this.#rows].sort(([a], [b]) => a - b);
    return {
      width,
      buckets: rows.map(([index, { exchanges, series }]) => ({
        start: index * width,
        exchanges,
        series: [...series],
      })),
      untimed: this.#untimed,
    };
  }

  #rowAt(time: number): Row {
    let index = Math.floor(time / WIDTHS[this.#step]!);
    // Traffic is mostly in order of time.
    if (index === this.#lastIndex) return this.#last;
    while (!this.#rows.has(index) && this.#rows.size === MAX_BUCKETS) {
      this.#coarsen();
      index = Math.floor(time / WIDTHS[this.#step]!);
    }
    const row = this.#rows.get(index) ?? { exchanges: 0, series: Array.from({ length: this.#seriesCount }, () => 0) };
    this.#rows.set(index, row);
    this.#lastIndex = index;
    this.#last = row;
    return row;
  }

  #coarsen(): void {
    const factor = WIDTHS[this.#step + 1]! / WIDTHS[this.#step]!;
    this.#step++;
    const finer = this.#rows;
    this.#rows = new Map();
    this.#lastIndex = Number.NaN;
    for (const [index, row] of finer) {
      const coarse = Math.floor(index / factor);
      const known = this.#rows.get(coarse);
      if (known === undefined) this.#rows.set(coarse, row);
      else {
        known.exchanges += row.exchanges;
        for (const [number, count] of row.series.entries()) addCount(known.series, number, count);
      }
    }
  }
}

/** Adds to the count of one series. */
export function addCount(series: number[], number: number, count: number): void {
  while (series.length <= number) series.push(0);
  series[number]! += count;
}

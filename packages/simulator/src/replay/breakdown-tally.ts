/** Counts outcomes over time and by client, host and path. */
import type { Outcome } from '../actions/effect.ts';
import type { Verdict } from '../simulation/decision.ts';
import { type StatusChange, StatusTally } from './counter.ts';
import { type Counted, KeyBreakdown } from './key-breakdown.ts';
import {
  type BreakdownOptions,
  type BreakdownSummary,
  compareOutcomes,
  type OutcomeBreakdown,
  outcomeKey,
  type TimeSummary,
} from './summary.ts';

/** The number of verdicts whose countable parts are cached. */
const MAX_PREPARED = 10_000;

/** The countable parts of a verdict. */
interface PreparedVerdict {
  /** Positions of the rules that certainly matched. */
  readonly matched: readonly number[];
  /** These rules and the outcome's series, for which keys are counted. */
  readonly listed: readonly number[];
  /** The index of the outcome's series. */
  readonly series: number;
}

/** Breaks down what one policy did. */
export class BreakdownTally {
  readonly #ruleCount: number;
  readonly #top: number;
  readonly #time: TimeTally;
  readonly #statuses = new StatusTally();
  /** The outcomes of the series that follow those of the rules. */
  readonly #outcomes: (Outcome | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #keys: KeyBreakdown | undefined;
  readonly #prepared = new Map<Verdict, PreparedVerdict>();

  /**
   * @param ruleCount number of rules in the policy
   * @param maxKeys number of keys to keep, each with a set of rules
   */
  constructor(ruleCount: number, { top }: BreakdownOptions, maxKeys?: number) {
    this.#ruleCount = ruleCount;
    this.#top = top;
    this.#time = new TimeTally(ruleCount + 1);
    this.#keys = top > 0 ? new KeyBreakdown(ruleCount + 1, maxKeys) : undefined;
  }

  add(counted: Counted, verdict: Verdict): void {
    const { matched, listed, series } = this.#preparedFor(verdict);
    const counts = this.#time.add(counted.time);
    if (counts) addCount(counts, series, 1);
    this.#statuses.add(counted.status, verdict.status);
    if (counts) for (const rule of matched) counts[rule]!++;
    if (listed.length > 0) this.#keys?.add(counted, listed);
  }

  #preparedFor(verdict: Verdict): PreparedVerdict {
    const known = this.#prepared.get(verdict);
    if (known !== undefined) return known;
    const prepared = this.#prepare(verdict);
    if (this.#prepared.size === MAX_PREPARED) this.#prepared.clear();
    this.#prepared.set(verdict, prepared);
    return prepared;
  }

  #prepare({ outcomes, hits }: Verdict): PreparedVerdict {
    const matched = hits.flatMap(({ rule, result }) => (result.status === 'matched' ? rule : []));
    const outcome = outcomes.length === 1 ? outcomes[0] : undefined;
    const series = this.#ruleCount + this.#numberOf(outcome);
    return { matched, listed: hasKeys(outcome) ? [...matched, series] : matched, series };
  }

  #numberOf(outcome: Outcome | undefined): number {
    const key = outcome === undefined ? '' : outcomeKey(outcome);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#outcomes.length);
    this.#keys?.grow(this.#ruleCount + this.#outcomes.length + 1);
    return this.#outcomes.push(outcome) - 1;
  }

  summary(): BreakdownSummary {
    return breakdownSummary({
      ruleCount: this.#ruleCount,
      outcomes: this.#outcomes,
      time: this.#time.data(),
      statuses: this.#statuses.list(),
      keys: this.#keys?.summaries(this.#top),
    });
  }
}

/** The counts of a breakdown. Series are those of the rules, followed by those of the outcomes. */
interface BreakdownCounts {
  readonly ruleCount: number;
  /** Undefined for undetermined. */
  readonly outcomes: readonly (Outcome | undefined)[];
  readonly time: TimeData;
  readonly statuses: readonly StatusChange[];
  /** By series; undefined if not requested. */
  readonly keys: readonly OutcomeBreakdown['keys'][] | undefined;
}

/** Returns the figures of a breakdown. */
export function breakdownSummary({ ruleCount, outcomes, time, statuses, keys }: BreakdownCounts): BreakdownSummary {
  const countsOf = (number: number) => time.buckets.map(({ series }) => series[number] ?? 0);
  return {
    time: timeSummary(time, outcomes, outcome => countsOf(ruleCount + outcome)),
    statuses,
    rules: Array.from({ length: ruleCount }, (_, rule) => ({
      matched: countsOf(rule),
      ...(keys && { keys: keys[rule]! }),
    })),
    ...(keys && { outcomes: outcomeBreakdowns(outcomes, keys.slice(ruleCount)) }),
  };
}

/** @param countsOf returns the counts of an outcome by interval */
function timeSummary(
  { width, buckets, untimed }: TimeData,
  outcomes: BreakdownCounts['outcomes'],
  countsOf: (outcome: number) => readonly number[],
): TimeSummary {
  const starts = buckets.map(({ start }) => start);
  const counted = outcomes.flatMap((outcome, number) =>
    outcome === undefined ? [] : { outcome, counts: countsOf(number) },
  );
  return {
    width: Math.max(width, clockStep(starts)),
    starts,
    exchanges: buckets.map(({ exchanges }) => exchanges),
    outcomes: counted.sort((a, b) => compareOutcomes(a.outcome, b.outcome)),
    undetermined: countsOf(outcomes.indexOf(undefined)),
    untimed,
  };
}

/**
 * Returns the step of the clock that wrote the times, in ms: most logs are written in whole seconds, and an interval that is shorter than
 * the step only divides nothing. At least as many times as it takes to be no accident are needed.
 */
function clockStep(starts: readonly number[]): number {
  const steps = [
    { step: DAY, least: 3 },
    { step: HOUR, least: 3 },
    { step: 60 * SECOND, least: 3 },
    { step: SECOND, least: 2 },
  ];
  return (
    steps.find(({ step, least }) => starts.length >= least && starts.every(start => start % step === 0))?.step ?? 1
  );
}

/** Whether clients, paths and countries are listed for an outcome: it is certain, and the traffic does not just pass. */
export function hasKeys(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && outcome.kind !== 'passed';
}

/** @param keys parallel to the outcomes */
function outcomeBreakdowns(
  outcomes: readonly (Outcome | undefined)[],
  keys: readonly OutcomeBreakdown['keys'][],
): readonly OutcomeBreakdown[] {
  return outcomes
    .flatMap((outcome, number) => (hasKeys(outcome) ? { outcome: outcome!, keys: keys[number]! } : []))
    .sort((a, b) => compareOutcomes(a.outcome, b.outcome));
}

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
function addCount(series: number[], number: number, count: number): void {
  while (series.length <= number) series.push(0);
  series[number]! += count;
}

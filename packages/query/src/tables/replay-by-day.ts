/**
 * Replays a table day by day, so that days which were counted once need not be counted again. What is kept of a day are its groups of verdicts and its
 * counts by interval, which add up to the figures of all days together.
 */
import type { Policy } from '@tollgate/policy';
import {
  GroupTally,
  MAX_BUCKETS,
  type Outcome,
  type ReplayOptions,
  type ReplaySummary,
  type TimeData,
  type Verdict,
  WIDTHS,
} from '@tollgate/simulator';
import { type EngineSession, unreadableTable } from '../engines/engine.ts';
import { type EngineResult, reasonAgainstEngine } from '../questions/paired-policies.ts';
import { timeInputsOf } from '../questions/run-context.ts';
import type { DecidedRecords } from './decide-table-groups.ts';
import { type TimeLimits, timeSql } from './record-times.ts';
import { rowsOf, startSql } from './records-sql.ts';
import { inSession, replayRun, runIn, type TableTraffic, trafficOf } from './replay-on-table.ts';
import { openTable, type TableSource } from './table-source.ts';

const DAY = 24 * 3600 * 1000;

/** The counts of some rows, as plain data. */
export interface DayCounts {
  /** Their number, including those that hold no field. */
  readonly rows: number;
  readonly empty: number;
  readonly noRequests: number;
  readonly groups: readonly (Pick<DecidedRecords, 'times' | 'status' | 'mayHaveAllHeaders'> & {
    readonly verdict: Omit<Verdict, 'number'>;
  })[];
  /** The series after those of the rules are those of these outcomes; null for undetermined. */
  readonly time: TimeData;
  readonly outcomes: readonly (Outcome | null)[];
}

/** Where counts are kept, by the day in UTC, such as `2026-11-21`. */
export interface DayStore {
  readonly kept: Readonly<Record<string, DayCounts>>;
  /** Called for each day that is over. */
  readonly keep: (day: string, counts: DayCounts) => void;
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly now: number;
}

/**
 * Replays the traffic in a table as `replayOnTable` does, and counts only the days that are not over, that are not kept, or whose number of rows is
 * another one than it was. Throws an `ExternalError` if the engine or the table cannot be read, or no column has the time.
 */
export async function replayByDay(
  policy: Policy,
  options: Omit<ReplayOptions, 'files' | 'reader' | 'traffic' | 'select'>,
  traffic: TableTraffic,
  store: DayStore,
): Promise<EngineResult<ReplaySummary>> {
  const reason = reasonAgainstEngine(policy, { ...options, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  const limits: TimeLimits = traffic.select ?? {};
  return inSession(traffic, options.watch?.stop, async session => {
    const source = await openTable(session, traffic, traffic.select);
    const rowsOfDays = await countRows(session, source);
    const [kept, counted]: [string[], string[]] = [[], []];
    const all: DayCounts[] = [];
    for (const [start, rows] of rowsOfDays) {
      const part = start === null ? undefined : within(start, limits);
      const isWhole = start !== null && part?.since === start && part.until === start + DAY;
      const day = start === null ? '' : new Date(start).toISOString().slice(0, 10);
      const known = isWhole ? store.kept[day] : undefined;
      if (known?.rows === rows) {
        kept.push(day);
        all.push(known);
        continue;
      }
      const counts = await countDay(session, {
        policy,
        options,
        traffic: { ...traffic, select: part ?? { isUntimed: true } },
      });
      if (start !== null) counted.push(day);
      if (isWhole && start + DAY <= store.now) store.keep(day, counts);
      all.push(counts);
    }
    const isSelected = limits.since !== undefined || limits.until !== undefined;
    const selection = isSelected && { selection: { selected: exchangesIn(all), unknown: source.unknown } };
    const scannedBytes = session.scannedBytes?.();
    return {
      ...trafficOf(
        { ...source, noRequests: sum(all.map(one => one.noRequests)) },
        exchangesIn(all),
        sum(all.map(one => one.empty)),
      ),
      ...(scannedBytes !== undefined && { scannedBytes }),
      days: { kept, counted },
      ...addedUp(policy, options, traffic.table, all),
      ...selection,
    };
  });
}

function exchangesIn(all: readonly DayCounts[]): number {
  return sum(all.map(({ rows, empty }) => rows - empty));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Returns the part of a day that is replayed. */
function within(start: number, { since, until }: TimeLimits): Required<TimeLimits> {
  return { since: Math.max(start, since ?? start), until: Math.min(start + DAY, until ?? start + DAY) };
}

/** Returns the number of rows of each day by its start, in order; those without a time come last, under null. */
async function countRows(
  session: EngineSession,
  source: TableSource,
): Promise<readonly (readonly [start: number | null, rows: number])[]> {
  const { timeInput } = timeInputsOf(source);
  const column = timeInput === undefined ? undefined : source.timeColumn(timeInput);
  if (column === undefined)
    throw unreadableTable(
      `no column of \`${source.table}\` holds the time, which \`--state\` needs; map \`time\` to a column`,
    );
  const time = await timeSql(session, column);
  const days = `days as (select ${startSql('t', DAY)} as d from (select ${time.sql} as t from records ${time.join}) timed)`;
  const query = `with records as (select ${time.column} from ${source.from}), ${days} select d, count(*) from days group by d`;
  const found = (await rowsOf(session, query)).map(
    ([day, rows]) => [day == null ? null : Number(day), Number(rows)] as const,
  );
  return found.sort(([a], [b]) => (a ?? Number.MAX_VALUE) - (b ?? Number.MAX_VALUE));
}

interface DayReplay {
  readonly policy: Policy;
  readonly options: Parameters<typeof replayByDay>[1];
  readonly traffic: TableTraffic;
}

async function countDay(session: EngineSession, { policy, options, traffic }: DayReplay): Promise<DayCounts> {
  const source = await openTable(session, traffic, traffic.select);
  const { files, counts } = await runIn(
    { session, source, writer: undefined },
    traffic,
    replayRun(policy, { ...options, breakdown: { top: 0 } }, undefined, ({ decided, tally, breakdown }) => {
      const groups = new Map<string, { times: number } & Omit<DayCounts['groups'][number], 'times'>>();
      for (const { verdict, times, status, mayHaveAllHeaders } of decided.groups) {
        const { number: _, ...own } = verdict;
        const key = JSON.stringify([own, status, mayHaveAllHeaders]);
        const known = groups.get(key) ?? { verdict: own, status, mayHaveAllHeaders, times: 0 };
        known.times += times;
        groups.set(key, known);
      }
      const outcomes = tally.outcomes.map(one => one ?? null);
      return { counts: { groups: [...groups.values()], time: breakdown!.time, outcomes } };
    }),
  );
  const [{ exchanges, skipped }] = files as [(typeof files)[number]];
  const empty = skipped - source.noRequests;
  return { rows: exchanges + empty, empty, noRequests: source.noRequests, ...counts };
}

/** Returns the figures of all days. */
function addedUp(policy: Policy, options: DayReplay['options'], table: string, all: readonly DayCounts[]) {
  const tally = new GroupTally(policy, options);
  const place = { file: table, number: 0, unit: 'table' } as const;
  for (const { groups } of all)
    for (const { verdict, ...part } of groups) tally.add({ verdict, place, parts: [{ first: 0, ...part }] });
  const ruleCount = options.profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  const buckets = all.flatMap(({ time, outcomes }) =>
    time.buckets.map(bucket => ({ ...bucket, series: renumbered(bucket.series, ruleCount, outcomes) })),
  );
  const width = commonWidth(all.map(({ time }) => time));
  const merged = new Map<number, { exchanges: number; readonly series: number[] }>();
  for (const { start, exchanges, series } of buckets) {
    const at = Math.floor(start / width) * width;
    const known = merged.get(at) ?? { exchanges: 0, series: [] };
    known.exchanges += exchanges;
    for (const [number, count] of series) known.series[number] = (known.series[number] ?? 0) + count;
    merged.set(at, known);
  }
  const inOrder = [...merged].sort(([a], [b]) => a - b);
  return tally.summary({
    time: {
      width,
      buckets: inOrder.map(([start, { exchanges, series }]) => ({
        start,
        exchanges,
        series: Array.from(series, one => one ?? 0),
      })),
      untimed: sum(all.map(({ time }) => time.untimed)),
    },
    keys: undefined,
  });

  /** Outcomes have other numbers in each day. */
  function renumbered(series: readonly number[], rules: number, outcomes: DayCounts['outcomes']) {
    return series.map((count, number) => {
      if (number < rules) return [number, count] as const;
      const outcome = outcomes[number - rules];
      return [tally.seriesOf({ outcomes: outcome == null ? [] : [outcome] }), count] as const;
    });
  }
}

/**
 * Returns the width that intervals have if all days are counted at once: it is at least that of each day, because more times never make intervals
 * shorter, and a multiple of it.
 */
function commonWidth(times: readonly TimeData[]): number {
  const timed = times.filter(({ buckets }) => buckets.length > 0);
  if (timed.length === 0) return WIDTHS[0]!;
  const least = Math.max(...timed.map(({ width }) => WIDTHS.indexOf(width)));
  const starts = timed.flatMap(({ buckets }) => buckets.map(({ start }) => start));
  const [from, to] = [Math.min, Math.max].map(best => starts.reduce((one, other) => best(one, other))) as [
    number,
    number,
  ];
  const isFew = (width: number) => Math.floor(to / width) - Math.floor(from / width) < MAX_BUCKETS;
  let step = WIDTHS.findIndex((width, at) => at >= least && isFew(width));
  if (step < 0) step = WIDTHS.length - 1;
  for (; step > least; step--) {
    const finer = WIDTHS[step - 1]!;
    if (new Set(starts.map(start => Math.floor(start / finer))).size > MAX_BUCKETS) break;
  }
  return WIDTHS[step]!;
}

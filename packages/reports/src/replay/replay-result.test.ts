import type { TimeSummary } from '@tollgate/simulator';
import { describe, expect, it } from 'vitest';
import { formatDuration, formatTime, sparkline } from '../text/figures.ts';
import { timelineOf } from './replay-result.ts';

function summary(width: number, starts: readonly number[], exchanges: readonly number[]): TimeSummary {
  return { width, starts, exchanges, outcomes: [], undetermined: [], untimed: 0 };
}

describe('a timeline', () => {
  it('has a column for each interval if they fit, including empty ones', () => {
    const { spread, ...shape } = timelineOf(summary(10, [50, 60, 90], [4, 5, 6]), 5)!;
    expect(shape).toEqual({ start: 50, width: 10, columns: 5, outside: 0 });
    expect(spread([1, 2, 3])).toEqual([1, 2, 0, 0, 3]);
  });

  it('joins intervals if they do not fit, at clock boundaries', () => {
    const { spread, ...shape } = timelineOf(summary(10, [50, 60, 90], [4, 5, 6]), 4)!;
    expect(shape).toEqual({ start: 40, width: 20, columns: 3, outside: 0 });
    expect(spread([1, 2, 3])).toEqual([1, 2, 3]);
  });

  it.each([
    [1000, 90 * 60_000, 60, 120_000],
    [5000, 90 * 60_000, 100, 60_000],
    [15_000, 24 * 3_600_000, 60, 1_800_000],
    [15_000, 24 * 3_600_000, 40, 3_600_000],
    [7 * 24 * 3_600_000, 1000 * 24 * 3_600_000, 40, 28 * 24 * 3_600_000],
    [364 * 24 * 3_600_000, 1e14, 40, 364 * 24 * 3_600_000 * 128],
  ])('of intervals of %i ms over %i ms in %i columns has columns of %i ms', (width, whole, maxColumns, each) => {
    const end = Math.floor((whole - 1) / width) * width;
    expect(timelineOf(summary(width, [0, end], [1, 1]), maxColumns)!.width).toBe(each);
  });

  it('leaves out exchanges with a wrong clock, and counts them', () => {
    const stray = [-1e12, ...Array.from({ length: 50 }, (_, index) => 1000 * index), 1e12];
    const counts = [1, ...Array.from({ length: 50 }, () => 100), 2];
    const { spread, ...shape } = timelineOf(summary(1000, stray, counts), 10)!;
    expect(shape).toEqual({ start: 0, width: 5000, columns: 10, outside: 3 });
    expect(spread(counts)).toEqual(Array.from({ length: 10 }, () => 500));
  });

  it('keeps distant exchanges if there are many', () => {
    expect(timelineOf(summary(1000, [0, 1000, 1e9], [10, 10, 10]), 9)).toMatchObject({ start: 0, outside: 0 });
  });

  it('is undefined for a single time', () => {
    expect(timelineOf(summary(10, [50], [3]), 9)).toBe(undefined);
    expect(timelineOf(summary(10, [], []), 9)).toBe(undefined);
  });
});

it.each([
  [[0, 1, 500, 1000], ' ▁▄█'],
  [[7, 8], '▇█'],
  [[0, 0], '  '],
])('draws %j as %j', (counts, line) => {
  expect(sparkline(counts)).toBe(line);
});

it.each([
  [10, '10 milliseconds', '2026-03-02 10:15:30.120'],
  [1000, '1 second', '2026-03-02 10:15:30'],
  [90_000, '90 seconds', '2026-03-02 10:15:30'],
  [300_000, '5 minutes', '2026-03-02 10:15'],
  [36 * 3_600_000, '36 hours', '2026-03-02 10:15'],
  [1120 * 24 * 3_600_000, '1,120 days', '2026-03-02'],
])('formats %i ms as %s, and a time as %s', (width, duration, moment) => {
  expect([formatDuration(width), formatTime(Date.UTC(2026, 2, 2, 10, 15, 30, 120), width)]).toEqual([duration, moment]);
});

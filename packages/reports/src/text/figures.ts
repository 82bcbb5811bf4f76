// Counts, bounds, shares, bars, durations and times as text.

import type { Interval } from '@tollgate/simulator';

/** Returns a count with thousands separators: `10,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Returns a number of bytes in a usual unit: `12.3 MB`. */
export function formatBytes(bytes: number): string {
  const unit = BYTES.findLast(({ size }) => bytes >= size) ?? BYTES[0]!;
  return `${(bytes / unit.size).toFixed(unit.size > 1 ? 1 : 0)} ${unit.name}`;
}

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB'].map((name, at) => ({ name, size: 1000 ** at }));

/** Returns bounds: `12–30`, or one number if both are equal. */
export function formatBounds({ least, most }: Interval): string {
  return least === most ? formatCount(least) : `${formatCount(least)}–${formatCount(most)}`;
}

/** Returns a count with its noun; the plural ends in `s`. */
export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the sum of counts, then each that is not zero: `5 tests: 4 passed, 1 failed`; undefined if all are zero. */
export function formatTally(counts: Readonly<Record<string, number>>, noun: string): string | undefined {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  if (parts.length === 0) return undefined;
  const texts = parts.map(([what, count]) => `${formatCount(count)} ${what.replace('-', ' ')}`);
  const sum = parts.reduce((all, [, count]) => all + count, 0);
  return `${pluralize(sum, noun)}: ${texts.join(', ')}`;
}

/** Returns bounds as percentages of a total: `85 %`, `10–12 %`. Only 0 and the total are rounded to 0 % and 100 %. */
export function formatPercentage({ least, most }: Interval, whole: number): string {
  const [low, high] = [percent(least, whole), percent(most, whole)];
  return low === high ? `${low} %` : `${low}–${high} %`;
}

function percent(part: number, whole: number): string {
  const share = (100 * part) / whole;
  if (share > 0 && share < 1) return '<1';
  if (share > 99 && share < 100) return '>99';
  return String(Math.round(share));
}

/** Default width of a bar, in columns. */
export const BAR_WIDTH = 24;

/** Returns a bar: solid up to the lower bound, light up to the upper one. A bound above 0 is always visible. */
export function drawBar({ least, most }: Interval, whole: number, width = BAR_WIDTH): string {
  const length = (part: number) => (part === 0 ? 0 : Math.max(1, Math.round((width * part) / whole)));
  if (least === most) return '█'.repeat(length(least));
  const solid = Math.min(length(least), width - 1);
  return '█'.repeat(solid) + '░'.repeat(Math.max(1, length(most) - solid));
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** Returns counts as a line of bars. The highest count gets the full height, zero a blank, and any other count a visible bar. */
export function sparkline(counts: readonly number[]): string {
  const most = Math.max(...counts);
  return counts.map(count => (count === 0 ? ' ' : LEVELS[Math.ceil((count * LEVELS.length) / most) - 1])).join('');
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [24 * 3_600_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
  [1, 'millisecond'],
];

/** The maximum time of a `Date`, in ms. */
const MAX_TIME = 8.64e15;

/** Returns a duration in its largest whole unit: `5 minutes`, `36 hours`. */
export function formatDuration(ms: number): string {
  const [size, name] = UNITS.find(([unit]) => ms % unit === 0) ?? [1, 'millisecond'];
  const count = ms / size;
  return pluralize(count, name);
}

/**
 * Returns a time in UTC, as precisely as intervals of `width` ms need: `2026-11-21 01:07`.
 *
 * @param time in ms since 1970-01-01T00:00:00Z; times before the first valid date are shown as that date
 */
export function formatTime(time: number, width: number): string {
  const text = new Date(Math.max(time, -MAX_TIME)).toISOString().replace('T', ' ').replace('Z', '');
  const cut = [24 * 3_600_000, 60_000, 1000].findIndex(unit => width % unit === 0);
  return cut < 0 ? text : text.slice(0, -[13, 7, 4][cut]!);
}

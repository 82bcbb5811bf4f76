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
  return `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`;
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

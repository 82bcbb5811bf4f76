const LEVELS = '▁▂▃▄▅▆▇█';

/** Returns counts as a line of bars. The highest count gets the full height, zero a blank, and any other count a visible bar. */
export function sparkline(counts: readonly number[]): string {
  const most = Math.max(...counts);
  return counts.map(count => (count === 0 ? ' ' : LEVELS[Math.ceil((count * LEVELS.length) / most) - 1])).join('');
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** Counts as a line of bars, the highest of full height; nothing for zero, and never nothing for more. */
export function sparkline(counts: readonly number[]): string {
  const most = Math.max(...counts);
  return counts.map(count => (count === 0 ? ' ' : LEVELS[Math.ceil((count * LEVELS.length) / most) - 1])).join('');
}

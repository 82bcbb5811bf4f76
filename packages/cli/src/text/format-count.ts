import type { Interval } from '@tollgate/simulator';

/** Returns a count with thousands separators: `10,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Returns bounds: `12–30`, or one number if both are equal. */
export function formatBounds({ least, most }: Interval): string {
  return least === most ? formatCount(least) : `${formatCount(least)}–${formatCount(most)}`;
}

/** Returns a count with its noun; the plural ends in `s`. */
export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
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

import type { Interval } from '@tollgate/simulator';

/** Writes a count as people read it: `10,000`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** Writes bounds: `12–30`, or one number where they meet. */
export function intervalText({ least, most }: Interval): string {
  return least === most ? countText(least) : `${countText(least)}–${countText(most)}`;
}

/** The number with its noun, which takes an s for the plural. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Writes bounds as parts of a whole: `85 %`, `10–12 %`; what is neither nothing nor all is never rounded to that. */
export function shareText({ least, most }: Interval, whole: number): string {
  const [low, high] = [percent(least, whole), percent(most, whole)];
  return low === high ? `${low} %` : `${low}–${high} %`;
}

function percent(part: number, whole: number): string {
  const share = (100 * part) / whole;
  if (share > 0 && share < 1) return '<1';
  if (share > 99 && share < 100) return '>99';
  return String(Math.round(share));
}

/** Columns of a bar where there is room. */
export const BAR_WIDTH = 24;

/** A bar for bounds: solid up to the least, light up to the most. What happened, or may have, is never without a mark. */
export function barText({ least, most }: Interval, whole: number, width = BAR_WIDTH): string {
  const length = (part: number) => (part === 0 ? 0 : Math.max(1, Math.round((width * part) / whole)));
  if (least === most) return '█'.repeat(length(least));
  const solid = Math.min(length(least), width - 1);
  return '█'.repeat(solid) + '░'.repeat(Math.max(1, length(most) - solid));
}

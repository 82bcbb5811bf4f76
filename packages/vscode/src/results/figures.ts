import { element, type Html } from './html.ts';
import type { Bounds } from './replay-report.ts';

/** Width of a bar, in units of its drawing, which is as wide as its place. */
const FULL = 1000;

/** Returns a bar for a share. Inline styles are forbidden, so bars are drawings. The lighter part is uncertain. */
export function bar({ least, most }: Bounds, total: number): Html {
  const width = (count: number) => (total === 0 ? 0 : Math.round((count / total) * FULL));
  const part = (kind: string, x: number, length: number) =>
    element('rect', { class: kind, x, y: 0, width: length, height: 1 });
  return element(
    'svg',
    {
      ...{ class: 'bar', viewBox: `0 0 ${FULL} 1`, preserveAspectRatio: 'none' },
      ...{ role: 'img', 'aria-label': `${boundsText({ least, most })} of ${shown(total)}` },
    },
    part('rest', 0, FULL),
    part('least', 0, width(least)),
    part('most', width(least), width(most) - width(least)),
  );
}

/** Returns a number that may be uncertain: `1,200 – 2,000`. */
export function boundsText({ least, most }: Bounds): string {
  return least === most ? shown(least) : `${shown(least)} – ${shown(most)}`;
}

/** Returns a number with separators. */
export function shown(count: number): string {
  return count.toLocaleString('en');
}

/** Returns a number with its noun. */
export function counted(count: number, noun: string): string {
  return `${shown(count)} ${noun}${count === 1 ? '' : 's'}`;
}

import type { Paint } from '@tollgate/diagnostics';
import type { Cell } from './table.ts';

/** How a report for people is laid out. */
export interface Layout {
  readonly paint: Paint;
  /** Of the terminal, in columns; where there is none, lines are as long as they need. */
  readonly width: number | undefined;
}

/** How wide a text that goes on may be, in columns. */
export function proseWidth({ width = Number.POSITIVE_INFINITY }: Layout): number {
  return Math.max(40, width);
}

/** How wide a plot may be, in columns. */
export function plotWidth({ width = 80 }: Layout): number {
  return width;
}

/** How wide tables may be, in columns. */
export function tableRoom({ width = Number.POSITIVE_INFINITY }: Layout): number {
  return width;
}

/** The first row of a table. */
export function heading(...titles: readonly string[]): Cell[] {
  return titles.map(text => ({ text, style: 'strong' }));
}

import type { Paint } from '@tollgate/diagnostics';
import type { Cell } from './table.ts';

/** Colours and width of a report for people. */
export interface Layout {
  readonly paint: Paint;
  /** Width of the terminal in columns; undefined if lines need not be wrapped. */
  readonly width: number | undefined;
}

/** Returns the maximum width of prose, in columns. */
export function proseWidth({ width = Number.POSITIVE_INFINITY }: Layout): number {
  return Math.max(40, width);
}

/** Returns the maximum width of a plot, in columns. */
export function plotWidth({ width = 80 }: Layout): number {
  return width;
}

/** Returns the maximum width of a table, in columns. */
export function tableRoom({ width = Number.POSITIVE_INFINITY }: Layout): number {
  return width;
}

/** Returns the header row of a table. */
export function heading(...titles: readonly string[]): Cell[] {
  return titles.map(text => ({ text, style: 'strong' }));
}

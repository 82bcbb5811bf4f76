// Tables and paragraphs for terminals, which fit into a width.

import { displayWidth, type Paint, printable, type Style } from '@tollgate/diagnostics';

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

/** A cell of a table. */
export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export type Alignment = 'left' | 'right';

/** How to fit a table into the terminal. */
interface TableFit {
  /** In terminal columns. */
  readonly width: number;
  /** Columns to truncate if the table is too wide, in this order. */
  readonly elastic: readonly ElasticColumn[];
}

/** A column that may be truncated. */
interface ElasticColumn {
  readonly column: number;
  /** Minimum width in terminal columns. */
  readonly least: number;
  readonly keep: KeptSide;
}

/** Lays rows out in columns that are two spaces apart, without trailing spaces. Columns without an alignment are aligned left. */
export function tableText(
  rows: readonly (readonly Cell[])[],
  alignments: readonly Alignment[],
  paint: Paint,
  fit?: TableFit,
): string {
  const shown = rows.map(row => row.map(cell => ({ ...cell, text: printable(cell.text) })));
  const fitting = fit === undefined ? shown : fittingRows(shown, fit);
  const widths = columnWidths(fitting);
  return fitting.map(row => rowText(row, widths, alignments, paint)).join('\n');
}

/** Returns the width of a table in terminal columns. */
export function tableWidth(rows: readonly (readonly Cell[])[]): number {
  return columnWidths(rows).reduce((sum, width) => sum + 2 + width, 0);
}

function columnWidths(rows: readonly (readonly Cell[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell.text));
    });
  }
  return widths;
}

function fittingRows(rows: readonly (readonly Cell[])[], { width, elastic }: TableFit): readonly (readonly Cell[])[] {
  const widths = columnWidths(rows);
  let excess = tableWidth(rows) - width;
  const limits = new Map<number, readonly [length: number, keep: KeptSide]>();
  for (const { column, least, keep } of elastic) {
    const length = Math.max(least, (widths[column] ?? 0) - excess);
    if (excess <= 0 || length >= (widths[column] ?? 0)) continue;
    limits.set(column, [length, keep]);
    excess -= widths[column]! - length;
  }
  if (limits.size === 0) return rows;
  return rows.map(row =>
    row.map((cell, column) => {
      const limit = limits.get(column);
      return limit === undefined ? cell : { ...cell, text: truncate(cell.text, ...limit) };
    }),
  );
}

function rowText(
  row: readonly Cell[],
  widths: readonly number[],
  alignments: readonly Alignment[],
  paint: Paint,
): string {
  const last = row.findLastIndex(cell => cell.text !== '');
  const texts = row.slice(0, last + 1).map(({ text, style }, column) => {
    const padding = ' '.repeat(widths[column]! - displayWidth(text));
    const painted = style === undefined ? text : paint(style, text);
    if (alignments[column] === 'right') return padding + painted;
    return column === last ? painted : painted + padding;
  });
  return `  ${texts.join('  ')}`.trimEnd();
}

/** Breaks a paragraph between words into lines of at most `width` columns. A longer word gets a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
  return wrapWords(
    text.split(/\s+/).filter(part => part !== ''),
    width,
  );
}

/** As {@link wrapText}, for words that may contain spaces. */
export function wrapWords(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

/** The end of the string to keep. */
export type KeptSide = 'start' | 'end';

/** Returns the string on one line, truncated with an ellipsis to a width in terminal columns. */
export function truncate(text: string, width: number, keep: KeptSide = 'start'): string {
  if (displayWidth(text) <= width) return text;
  const segments = Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
  if (keep === 'end') segments.reverse();
  const kept: string[] = [];
  let room = width - 1;
  for (const segment of segments) {
    room -= displayWidth(segment);
    if (room < 0) break;
    kept.push(segment);
  }
  return keep === 'end' ? `…${kept.reverse().join('')}` : `${kept.join('')}…`;
}

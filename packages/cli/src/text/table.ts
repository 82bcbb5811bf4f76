import { displayWidth, type Paint, printable, type Style } from '@tollgate/diagnostics';
import { type KeptSide, truncate } from './truncate.ts';

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

import { displayWidth, type Paint, type Style } from '@tollgate/diagnostics';

/** One field of a table. */
export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export type Alignment = 'left' | 'right';

/** Lays rows out in columns, two spaces apart; columns beyond the last alignment are to the left. Nothing stands after the last text. */
export function tableText(rows: readonly (readonly Cell[])[], alignments: readonly Alignment[], paint: Paint): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell.text));
    });
  }
  return rows.map(row => rowText(row, widths, alignments, paint)).join('\n');
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

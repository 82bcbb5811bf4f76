import type { Cell } from '@tollgate/diagnostics';

/** Breaks a line into rows: after a logical operator if there is one, otherwise at a space. */
export function wrapCells(cells: readonly Cell[], width: number): readonly (readonly Cell[])[] {
  const rows: (readonly Cell[])[] = [];
  let start = 0;
  while (start < cells.length) {
    const end = endOfRow(cells, start, width);
    rows.push(cells.slice(start, end));
    start = end;
    // The line break replaces the space.
    while (start < cells.length && cells[start]!.text === ' ') start += 1;
  }
  return rows;
}

function endOfRow(cells: readonly Cell[], start: number, width: number): number {
  let end = start;
  for (let used = 0; end < cells.length && used + cells[end]!.width <= width; end++) used += cells[end]!.width;
  if (end === cells.length) return end;
  // Avoid many short rows.
  const least = start + Math.floor((end - start) / 4);
  const isSpace = (index: number) => cells[index]!.text === ' ';
  const isAfterOperator = (index: number) => /[&|]/.test(cells[index - 1]!.text) && isSpace(index);
  return lastIndexWhere(isAfterOperator, least, end) ?? lastIndexWhere(isSpace, least, end) ?? Math.max(end, start + 1);
}

function lastIndexWhere(holds: (index: number) => boolean, from: number, to: number): number | undefined {
  for (let index = to; index > from; index--) if (holds(index)) return index;
  return undefined;
}

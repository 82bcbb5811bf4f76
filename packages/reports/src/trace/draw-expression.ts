// Draws an expression with its values below their names and operators.

import {
  type Cell,
  displayCells,
  displayWidth,
  type Paint,
  printable,
  type Range,
  type Style,
} from '@tollgate/diagnostics';
import { tableText } from '../text/layout.ts';
import { nodeText } from './message-lines.ts';
import type { SubExpression } from './sub-expression.ts';
import type { ExpressionView } from './trace-view.ts';

/** Colours and width of a drawing. */
export interface Drawing {
  readonly paint: Paint;
  /** Maximum width of a line, in columns. */
  readonly width: number;
}

/** A value to draw below a position of the source. */
interface Mark {
  readonly at: number;
  readonly text: string;
  readonly style: Style;
  /** The range of a subexpression that was not evaluated. */
  readonly skipped?: Range;
}

/** Columns to reserve for a value to the right of its position. Lines that leave them free are not broken. */
export const MIN_ROOM = 14;
/** Maximum width of a value, in columns. */
const MAX_LENGTH = 60;

/** Draws an expression with the value of each subexpression below its name or operator. Lines have no trailing spaces. */
export function drawExpression(root: SubExpression, source: string, drawing: Drawing): readonly string[] {
  const marks = marksOf(root, true);
  return linesOf(source).flatMap(line => drawLine(line, { marks, source, drawing }));
}

/** Renders an expression with its values, and below it each part with its type and value. */
export function textExpression({ source, root }: ExpressionView, { paint, width }: Drawing): string {
  const drawn = drawExpression(root, source, { paint, width });
  const rows = partsOf(root).map(part => {
    const value = part.count === 0 ? ({ text: 'not evaluated', style: 'faint' } as const) : nodeText(part, MAX_LENGTH);
    return [{ text: part.text.replaceAll(/\s+/g, ' ') }, { text: part.type ?? '', style: 'faint' as const }, value];
  });
  const fit = { width, elastic: [{ column: 0, least: MIN_ROOM, keep: 'start' as const }] };
  const head = ['part', 'type', 'value'].map(text => ({ text, style: 'strong' as const }));
  return `${drawn.join('\n')}\n\n${tableText([head, ...rows], [], paint, fit)}\n`;
}

/** Returns an expression and its parts that are not constants, from the outside in. */
function partsOf(part: SubExpression): readonly SubExpression[] {
  return [part, ...part.children.filter(one => !one.isConstant).flatMap(partsOf)];
}

/** Constants need no value. A subexpression that was not evaluated gets one mark, and its parts none. */
function marksOf(part: SubExpression, isRoot: boolean): readonly Mark[] {
  if (part.isConstant && !isRoot) return [];
  if (part.count === 0) {
    return [{ at: part.range.start, text: 'not evaluated', style: 'faint', skipped: part.range }];
  }
  const mark = { at: part.anchor, ...nodeText(part, MAX_LENGTH) };
  return [mark, ...part.children.flatMap(child => marksOf(child, false))];
}

function linesOf(source: string): readonly Range[] {
  const lines: Range[] = [];
  let start = 0;
  for (const match of source.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  // Block scalars end with a line break.
  if (start < source.length || lines.length === 0) lines.push({ start, end: source.length });
  return lines;
}

interface DrawnSource {
  readonly marks: readonly Mark[];
  readonly source: string;
  readonly drawing: Drawing;
}

/** Draws one line of the source, in as many rows as it needs. */
function drawLine(line: Range, { marks, source, drawing }: DrawnSource): readonly string[] {
  const cells = displayCells(source.slice(line.start, line.end), line.start);
  const whole = [cells];
  const isNarrow = widthOf(cells) > drawing.width || !hasRoom(cells, marks, drawing.width);
  const rows = isNarrow ? wrapCells(cells, Math.max(MIN_ROOM, drawing.width - MIN_ROOM)) : whole;
  return rows.flatMap(row => drawRow(row, marks, drawing));
}

function hasRoom(cells: readonly Cell[], marks: readonly Mark[], width: number): boolean {
  return marksIn(cells, marks).every(
    ({ column, text }) => column + Math.min(displayWidth(printable(text)), MIN_ROOM) <= width,
  );
}

interface Placed extends Mark {
  readonly column: number;
  /** Width of the range that was not evaluated, in columns. */
  readonly span: number;
  /** True if that range starts in an earlier row. */
  readonly goesOn: boolean;
}

/** Returns the marks of a row, from left to right. */
function marksIn(cells: readonly Cell[], marks: readonly Mark[]): readonly Placed[] {
  const [first, last] = [cells[0], cells.at(-1)];
  if (first === undefined || last === undefined) return [];
  const placed = marks.flatMap((mark): Placed[] => {
    const { at, skipped } = mark;
    const goesOn = skipped !== undefined && skipped.start < first.start && skipped.end > first.start;
    if (!goesOn && (at < first.start || at >= last.end)) return [];
    // Skip the indentation.
    const start = goesOn ? (cells.find(({ text }) => text.trim() !== '') ?? first).start : at;
    const column = widthOf(cells.filter(cell => cell.end <= start));
    const covered = cells.filter(cell => skipped && cell.end > start && cell.start < skipped.end);
    return [{ ...mark, column, span: widthOf(covered), goesOn }];
  });
  return placed.sort((a, b) => a.column - b.column);
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

function drawRow(cells: readonly Cell[], marks: readonly Mark[], { paint, width }: Drawing): readonly string[] {
  const placed = marksIn(cells, marks);
  const text = sourceText(cells, placed, paint);
  if (placed.length === 0) return text === '' ? [] : [text];
  const row = new Row(paint);
  for (const { column, span } of placed) row.put(column, span > 0 ? '┄'.repeat(span) : '│', 'frame');
  return [text, row.text(), ...valueRows(placed, { paint, width })];
}

/** Returns a row of the source; what was not evaluated is faint. */
function sourceText(cells: readonly Cell[], placed: readonly Placed[], paint: Paint): string {
  const skipped = placed.flatMap(mark => mark.skipped ?? []);
  let text = '';
  let faint = '';
  for (const cell of cells) {
    if (skipped.some(({ start, end }) => cell.start >= start && cell.end <= end)) {
      faint += cell.text;
      continue;
    }
    text += paint('faint', faint) + cell.text;
    faint = '';
  }
  return (text + paint('faint', faint)).trimEnd();
}

/** Returns rows of values, filled from the right. Each row has as many values as fit, and lines down to the others. */
function valueRows(placed: readonly Placed[], { paint, width }: Drawing): readonly string[] {
  const rows: string[] = [];
  let remaining = placed.filter(({ goesOn }) => !goesOn);
  while (remaining.length > 0) {
    const row = new Row(paint);
    const waiting: Placed[] = [];
    let limit = Number.POSITIVE_INFINITY;
    for (const mark of remaining.toReversed()) {
      const text = cut(printable(mark.text), Math.min(MAX_LENGTH, Math.max(MIN_ROOM, width - mark.column)));
      const fits = mark.column + displayWidth(text) < limit;
      if (fits) row.put(mark.column, text, mark.style);
      else waiting.unshift(mark);
      if (!fits && mark.column < limit) row.put(mark.column, '│', 'frame');
      limit = Math.min(limit, mark.column);
    }
    rows.push(row.text());
    remaining = waiting;
  }
  return rows;
}

/** Truncates a string to a width in columns, with `…` at the end. */
function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let shown = '';
  let used = 0;
  for (const cell of displayCells(text, 0)) {
    used += cell.width;
    if (used >= width) break;
    shown += cell.text;
  }
  return `${shown}…`;
}

/** A line composed of strings at columns. */
class Row {
  readonly #texts: { readonly column: number; readonly text: string; readonly style: Style }[] = [];
  readonly #paint: Paint;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  put(column: number, text: string, style: Style): void {
    this.#texts.push({ column, text, style });
  }

  /** Returns the line. Strings that overlap an earlier one are left out. */
  text(): string {
    let line = '';
    let used = 0;
    for (const { column, text, style } of this.#texts.toSorted((a, b) => a.column - b.column)) {
      if (column < used) continue;
      line += ' '.repeat(column - used) + this.#paint(style, text);
      used = column + displayWidth(text);
    }
    return line;
  }
}

/** Breaks a line into rows: after a logical operator if there is one, otherwise at a space. */
function wrapCells(cells: readonly Cell[], width: number): readonly (readonly Cell[])[] {
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

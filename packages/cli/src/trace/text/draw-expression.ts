import {
  type Cell,
  displayCells,
  displayWidth,
  type Paint,
  printable,
  type Range,
  type Style,
} from '@tollgate/diagnostics';
import { nodeText } from '../view/node-text.ts';
import type { SubExpression } from '../view/sub-expression.ts';
import { wrapCells } from './wrap-cells.ts';

/** How an expression is drawn. */
export interface Drawing {
  readonly paint: Paint;
  /** Columns that the widest line may take. */
  readonly width: number;
}

/** Something to say below a place of the source. */
interface Mark {
  readonly at: number;
  readonly text: string;
  readonly style: Style;
  /** What it stands for where that was not evaluated. */
  readonly skipped?: Range;
}

/** Columns that a value may take beyond the source before it: lines that leave them free are not broken. */
export const LEAST_ROOM = 14;
/** Columns of the longest value. */
const LONGEST = 60;

/** Draws an expression with the value of each of its parts below its name or operator. Lines do not end in spaces. */
export function drawExpression(root: SubExpression, source: string, drawing: Drawing): readonly string[] {
  const marks = marksOf(root, true);
  return linesOf(source).flatMap(line => drawLine(line, { marks, source, drawing }));
}

/** Constants are their own value. Of what was not evaluated, the whole is told and not its parts. */
function marksOf(part: SubExpression, isRoot: boolean): readonly Mark[] {
  if (part.isConstant && !isRoot) return [];
  if (part.count === 0) {
    return [{ at: part.range.start, text: 'not evaluated', style: 'faint', skipped: part.range }];
  }
  const mark = { at: part.anchor, ...nodeText(part, LONGEST) };
  return [mark, ...part.children.flatMap(child => marksOf(child, false))];
}

function linesOf(source: string): readonly Range[] {
  const lines: Range[] = [];
  let start = 0;
  for (const match of source.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  // Block scalars end in a line break.
  if (start < source.length || lines.length === 0) lines.push({ start, end: source.length });
  return lines;
}

interface DrawnSource {
  readonly marks: readonly Mark[];
  readonly source: string;
  readonly drawing: Drawing;
}

/** One line of the source, in as many rows as it takes. */
function drawLine(line: Range, { marks, source, drawing }: DrawnSource): readonly string[] {
  const cells = displayCells(source.slice(line.start, line.end), line.start);
  const whole = [cells];
  const isNarrow = widthOf(cells) > drawing.width || !hasRoom(cells, marks, drawing.width);
  const rows = isNarrow ? wrapCells(cells, Math.max(LEAST_ROOM, drawing.width - LEAST_ROOM)) : whole;
  return rows.flatMap(row => drawRow(row, marks, drawing));
}

function hasRoom(cells: readonly Cell[], marks: readonly Mark[], width: number): boolean {
  return marksIn(cells, marks).every(
    ({ column, text }) => column + Math.min(displayWidth(printable(text)), LEAST_ROOM) <= width,
  );
}

interface Placed extends Mark {
  readonly column: number;
  /** Columns that it stands for where it was not evaluated. */
  readonly span: number;
  /** What was not evaluated began in a row before. */
  readonly goesOn: boolean;
}

/** The marks of a row, from left to right. */
function marksIn(cells: readonly Cell[], marks: readonly Mark[]): readonly Placed[] {
  const [first, last] = [cells[0], cells.at(-1)];
  if (first === undefined || last === undefined) return [];
  const placed = marks.flatMap((mark): Placed[] => {
    const { at, skipped } = mark;
    const goesOn = skipped !== undefined && skipped.start < first.start && skipped.end > first.start;
    if (!goesOn && (at < first.start || at >= last.end)) return [];
    // Indentation is no part of it.
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

/** What was not evaluated is faint. */
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

/** From the right: as many values to a row as fit, with lines that lead down to the others. */
function valueRows(placed: readonly Placed[], { paint, width }: Drawing): readonly string[] {
  const rows: string[] = [];
  let left = placed.filter(({ goesOn }) => !goesOn);
  while (left.length > 0) {
    const row = new Row(paint);
    const waiting: Placed[] = [];
    let limit = Number.POSITIVE_INFINITY;
    for (const mark of left.toReversed()) {
      const text = cut(printable(mark.text), Math.min(LONGEST, Math.max(LEAST_ROOM, width - mark.column)));
      const fits = mark.column + displayWidth(text) < limit;
      if (fits) row.put(mark.column, text, mark.style);
      else waiting.unshift(mark);
      if (!fits && mark.column < limit) row.put(mark.column, '│', 'frame');
      limit = Math.min(limit, mark.column);
    }
    rows.push(row.text());
    left = waiting;
  }
  return rows;
}

/** The text in so many columns, with `…` at the end where it takes more. */
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

/** A line that is put together from texts at columns. */
class Row {
  readonly #texts: { readonly column: number; readonly text: string; readonly style: Style }[] = [];
  readonly #paint: Paint;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  put(column: number, text: string, style: Style): void {
    this.#texts.push({ column, text, style });
  }

  /** What overlaps what stands before it is left out. */
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

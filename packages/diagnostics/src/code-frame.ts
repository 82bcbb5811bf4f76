import { type Paint, PLAIN, type Style } from './colour.ts';
import { type Cell, displayCells, printable } from './display-cells.ts';
import type { Range } from './range.ts';
import { humanPosition, type SourceText } from './source-text.ts';

/** Options of {@link codeFrame}. */
export interface FrameOptions {
  readonly paint?: Paint;
  /** Style of the carets. */
  readonly style?: Style;
  /** Maximum width in columns, including the gutter; longer lines are clipped around the range. */
  readonly width?: number | undefined;
}

/** Number of lines of a long range before the ellipsis, which its last line follows. */
const LEADING_LINES = 3;
const DEFAULT_WIDTH = 100;
/** Minimum columns for source text. */
const MIN_ROOM = 10;
/** Columns between the line number and the source. */
const BAR_COLUMNS = 3;
/** Columns of the ellipses on both sides of a clipped line. */
const MARK_COLUMNS = 2;

/**
 * Returns the lines that a range touches, with carets under exactly its characters, below a line with the location. An empty range
 * has one caret. The cost depends only on the lines shown.
 */
export function codeFrame(source: SourceText, range: Range, options: FrameOptions = {}): string {
  const { paint = PLAIN, style = 'error', width = DEFAULT_WIDTH } = options;
  const lines = linesToShow(source, range);
  const gutter = String(lines.at(-1)! + 1).length;
  const room = Math.max(MIN_ROOM, width - gutter - BAR_COLUMNS);
  const { line, column } = humanPosition(source, range.start);
  const bar = paint('frame', `${' '.repeat(gutter)} |`);
  const out = [`${paint('frame', `${' '.repeat(gutter)}-->`)} ${printable(source.uri)}:${line}:${column}`, bar];
  let previous = lines[0]! - 1;
  for (const shown of lines) {
    if (shown !== previous + 1) out.push(paint('frame', '...'));
    const view = clip(source, shown, range, room);
    out.push(trimEnd(`${paint('frame', `${String(shown + 1).padStart(gutter)} |`)} ${view.text}`));
    if (view.carets !== '') out.push(`${bar} ${view.indent}${paint(style, view.carets)}`);
    previous = shown;
  }
  return out.join('\n');
}

function linesToShow(source: SourceText, range: Range): readonly number[] {
  const first = source.positionAt(range.start).line;
  // A range that ends with a line break does not touch the next line.
  const last = Math.max(first, source.positionAt(Math.max(range.start, range.end - 1)).line);
  const count = last - first + 1;
  if (count <= LEADING_LINES + 1) return Array.from({ length: count }, (_, index) => first + index);
  return [...Array.from({ length: LEADING_LINES }, (_, index) => first + index), last];
}

interface LineView {
  readonly text: string;
  readonly indent: string;
  readonly carets: string;
}

/** Returns the part of a line that fits, and the carets below it. */
function clip(source: SourceText, line: number, range: Range, room: number): LineView {
  const bounds = source.lineRange(line);
  const marked = markedPart(source, bounds, range);
  // Segmenting megabytes to print a hundred columns would be slow.
  const from = clipStart(source.text, bounds.start, marked.start - room);
  const to = Math.min(bounds.end, from + 4 * room);
  const cells = displayCells(source.text.slice(from, to), from);
  // Strictly less, because a caret may follow the last character.
  const isWhole = from === bounds.start && to === bounds.end && widthOf(cells) < room;
  const width = isWhole ? room : room - MARK_COLUMNS;
  const first = firstCell(cells, marked, width);
  const shown = fitting(cells, first, width);
  const clippedLeft = shown.length > 0 && shown[0]!.start > bounds.start;
  const clippedRight = shown.length > 0 && shown.at(-1)!.end < bounds.end;
  const text = `${clippedLeft ? '…' : ''}${shown.map(cell => cell.text).join('')}${clippedRight ? '…' : ''}`;
  const before = widthOf(shown.filter(cell => cell.end <= marked.start)) + (clippedLeft ? 1 : 0);
  const under = widthOf(shown.filter(cell => cell.end > marked.start && cell.start < marked.end));
  const touches = range.start === range.end || marked.end > marked.start;
  return { text, indent: ' '.repeat(before), carets: touches ? '^'.repeat(Math.max(1, under)) : '' };
}

/** Returns the part of the range on this line, without indentation after the first line. */
function markedPart(source: SourceText, bounds: Range, range: Range): Range {
  const end = Math.min(range.end, bounds.end);
  if (range.start >= bounds.start) return { start: Math.min(range.start, bounds.end), end: Math.max(end, range.start) };
  const indentation = /^[ \t]*/.exec(source.text.slice(bounds.start, Math.min(end, bounds.start + 1000)))![0].length;
  return { start: Math.min(bounds.start + indentation, end), end };
}

function clipStart(text: string, lineStart: number, wanted: number): number {
  if (wanted <= lineStart) return lineStart;
  const isInsidePair = (text.charCodeAt(wanted) & 0xfc00) === 0xdc00;
  return isInsidePair ? wanted - 1 : wanted;
}

/** Returns 0 unless the marked part would then not fit. */
function firstCell(cells: readonly Cell[], marked: Range, width: number): number {
  const end = cells.findIndex(cell => cell.start >= marked.end);
  if (widthOf(end < 0 ? cells : cells.slice(0, end)) <= width) return 0;
  const start = cells.findIndex(cell => cell.end > marked.start);
  let index = start < 0 ? cells.length : start;
  for (let room = Math.floor(width / 4); index > 0 && room > 0; index -= 1) room -= cells[index - 1]!.width;
  // If the line ends soon, show more of what precedes the range.
  let used = widthOf(cells.slice(index, index + width));
  for (; index > 0 && used + cells[index - 1]!.width <= width; index -= 1) used += cells[index - 1]!.width;
  return index;
}

function fitting(cells: readonly Cell[], first: number, width: number): readonly Cell[] {
  let end = first;
  for (let used = 0; end < cells.length && used + cells[end]!.width <= width; end += 1) used += cells[end]!.width;
  return cells.slice(first, end);
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

function trimEnd(text: string): string {
  return text.replace(/[ ]+$/, '');
}

import type { Range } from './diagnostic.ts';
import { humanPosition, type SourceText } from './source-text.ts';

/** Options of {@link codeFrame}. */
export interface FrameOptions {
  readonly paint?: Paint;
  /** Style of the carets. */
  readonly style?: Style;
  /** Maximum width in columns, including the gutter; longer lines are clipped around the range. */
  readonly width?: number | undefined;
  /** The path to print; by default that of the source. */
  readonly name?: string;
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
  const { paint = WITHOUT_COLORS, style = 'error', width = DEFAULT_WIDTH, name = source.uri } = options;
  const lines = linesToShow(source, range);
  const gutter = String(lines.at(-1)! + 1).length;
  const room = Math.max(MIN_ROOM, width - gutter - BAR_COLUMNS);
  const { line, column } = humanPosition(source, range.start);
  const bar = paint('frame', `${' '.repeat(gutter)} |`);
  const out = [`${paint('frame', `${' '.repeat(gutter)}-->`)} ${printable(name)}:${line}:${column}`, bar];
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

/** The role of a part of a report, which determines its colour. */
export type Style = 'error' | 'warning' | 'info' | 'hint' | 'frame' | 'strong' | 'faint';

/** Adds colour to text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

const CODES: Readonly<Record<Style, string>> = {
  error: '1;31',
  warning: '1;33',
  info: '1;36',
  hint: '1;32',
  frame: '34',
  strong: '1',
  faint: '2',
};

/** Returns text unchanged. */
export const WITHOUT_COLORS: Paint = (_, text) => text;

/** Colours text with ANSI escape sequences. */
export const ANSI: Paint = (style, text) => (text === '' ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`);

/**
 * Chooses by the first of these environment variables that is set: `FORCE_COLOR`, `NO_COLOR`, `CLICOLOR_FORCE`,
 * `CLICOLOR`, `TERM`. If none is, colours only terminals.
 */
export function choosePaint(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const { FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return ['0', 'false'].includes(FORCE_COLOR) ? WITHOUT_COLORS : ANSI;
  if (isGiven(NO_COLOR)) return WITHOUT_COLORS;
  if (isGiven(CLICOLOR_FORCE) && CLICOLOR_FORCE !== '0') return ANSI;
  if (CLICOLOR === '0' || TERM === 'dumb') return WITHOUT_COLORS;
  return isTerminal ? ANSI : WITHOUT_COLORS;
}

/** An empty variable counts as unset. */
function isGiven(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '';
}

/** One printed character: its text, its width in columns, and the UTF-16 units of the line that it represents. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly start: number;
  readonly end: number;
}

const TAB_WIDTH = 4;
// In functions, because compiling these patterns takes longer than everything else most reports need.
const wide = () =>
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u;
const zeroWidth = () => /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const ASCII = /^[\u0000-\u007f]*$/;
// Characters that move the cursor, colour the terminal or reorder text.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/;
/** The same except tabs and line feeds. */
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/;

/** Those that `JSON.stringify` does not escape. */
const CONTROLS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g;

/** Splits a line into printed characters. Tabs fill up to the next multiple of four; control characters are made visible. */
export function displayCells(line: string, offset: number): readonly Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  for (const { segment, index } of segmentsOf(line)) {
    const { text, width } = display(segment, column);
    cells.push({ text, width, start: offset + index, end: offset + index + segment.length });
    column += width;
  }
  return cells;
}

/** Splits into grapheme clusters. ASCII needs no segmenter, which saves most reports from loading Unicode data. */
function segmentsOf(line: string): Iterable<{ readonly segment: string; readonly index: number }> {
  if (!ASCII.test(line) || line.includes('\r\n')) return new Intl.Segmenter('en').segment(line);
  return Array.from(line, (segment, index) => ({ segment, index }));
}

/** Returns text for one line of a terminal, with control characters, line breaks and bidirectional marks made visible. */
export function printable(text: string): string {
  return CONTROL.test(text) ? Array.from(text, visible).join('') : text;
}

/** Like {@link printable}, but keeps line feeds and tabs. */
export function printableLines(text: string): string {
  return CONTROL_IN_LINES.test(text)
    ? text
        .split('\n')
        .map(line => line.split('\t').map(printable).join('\t'))
        .join('\n')
    : text;
}

/**
 * Returns JSON in which control characters and bidirectional marks are escapes, so that it can be shown in a terminal or a log and still has
 * the same value.
 */
export function jsonText(value: unknown, indent?: number): string {
  return escapedControls(JSON.stringify(value, undefined, indent));
}

/** Returns JSON text with escapes for the control characters and bidirectional marks that its strings contain. */
export function escapedControls(json: string): string {
  return json.replace(CONTROLS_IN_JSON, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function display(segment: string, column: number): { text: string; width: number } {
  if (segment === '\t') {
    const width = TAB_WIDTH - (column % TAB_WIDTH);
    return { text: ' '.repeat(width), width };
  }
  if (CONTROL.test(segment)) {
    const text = printable(segment);
    return { text, width: Array.from(text).length };
  }
  if (ASCII.test(segment)) return { text: segment, width: 1 };
  if (zeroWidth().test(segment)) return { text: segment, width: 0 };
  return { text: segment, width: wide().test(segment) ? 2 : 1 };
}

function visible(character: string): string {
  if (!CONTROL.test(character)) return character;
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

/** Returns the number of terminal columns of one line of text. */
export function displayWidth(text: string): number {
  return displayCells(text, 0).reduce((width, cell) => width + cell.width, 0);
}

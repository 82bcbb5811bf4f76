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

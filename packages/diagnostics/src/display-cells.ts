/** One printed character: what to print, how many columns it takes, and which UTF-16 units of the line it stands for. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly start: number;
  readonly end: number;
}

const TAB_WIDTH = 4;
// In functions: to read them takes longer than all else that most reports need of this file.
const wide = () =>
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u;
const zeroWidth = () => /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const ASCII = /^[\u0000-\u007f]*$/;
// Characters that would move the cursor, colour the terminal or reorder what is read.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/;
/** The same but for what lines are made of. */
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/;

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

/** The characters as people count them. Of ASCII each is one, which spares most reports the data of Unicode. */
function segmentsOf(line: string): Iterable<{ readonly segment: string; readonly index: number }> {
  if (!ASCII.test(line) || line.includes('\r\n')) return new Intl.Segmenter('en').segment(line);
  return Array.from(line, (segment, index) => ({ segment, index }));
}

/** Text for one line of a terminal: control characters, line breaks and marks of direction are made visible. */
export function printable(text: string): string {
  return CONTROL.test(text) ? Array.from(text, visible).join('') : text;
}

/** Text of several lines for a terminal: as {@link printable}, but line feeds and tabs stay. */
export function printableLines(text: string): string {
  return CONTROL_IN_LINES.test(text)
    ? text
        .split('\n')
        .map(line => line.split('\t').map(printable).join('\t'))
        .join('\n')
    : text;
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

/** Columns that a text of one line takes on a terminal, when it is printed as it is. */
export function displayWidth(text: string): number {
  return displayCells(text, 0).reduce((width, cell) => width + cell.width, 0);
}

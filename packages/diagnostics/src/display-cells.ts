/** One printed character: what to print, how many columns it takes, and which UTF-16 units of the line it stands for. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly start: number;
  readonly end: number;
}

const TAB_WIDTH = 4;
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
// Characters that would move the cursor, colour the terminal or reorder what is read.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Splits a line into printed characters. Tabs fill up to the next multiple of four; control characters are made visible. */
export function displayCells(line: string, offset: number): readonly Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  for (const { segment, index } of new Intl.Segmenter('en').segment(line)) {
    const { text, width } = display(segment, column);
    cells.push({ text, width, start: offset + index, end: offset + index + segment.length });
    column += width;
  }
  return cells;
}

/** Text for one line of a terminal: control characters, line breaks and marks of direction are made visible. */
export function printable(text: string): string {
  return CONTROL.test(text) ? Array.from(text, visible).join('') : text;
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
  if (ZERO_WIDTH.test(segment)) return { text: segment, width: 0 };
  return { text: segment, width: WIDE.test(segment) ? 2 : 1 };
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

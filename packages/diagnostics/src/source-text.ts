import type { Position } from './range.ts';

/** A document with an index of its lines, which end at LF, CR LF or CR, as in editors. */
export class SourceText {
  /** A path or URI, as in diagnostics. */
  readonly uri: string;
  readonly text: string;
  /** Computed on first use: most documents have no diagnostics and need no lines. */
  #lineStarts: readonly number[] | undefined;

  constructor(uri: string, text: string) {
    this.uri = uri;
    this.text = text;
  }

  get lineCount(): number {
    return this.#starts().length;
  }

  /** Returns the position of a UTF-16 offset, clamped to the text. Logarithmic in the number of lines. */
  positionAt(offset: number): Position {
    const starts = this.#starts();
    const inside = Math.min(Math.max(offset, 0), this.text.length);
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= inside) low = middle;
      else high = middle;
    }
    return { line: low, character: inside - starts[low]! };
  }

  /** Returns the UTF-16 offset of a position, clamped to the text. */
  offsetAt(position: Position): number {
    if (position.line < 0) return 0;
    if (position.line >= this.lineCount) return this.text.length;
    const { start, end } = this.lineRange(position.line);
    return Math.min(start + Math.max(position.character, 0), end);
  }

  /** Returns the range of a line without its line break. */
  lineRange(line: number): { readonly start: number; readonly end: number } {
    const starts = this.#starts();
    const start = starts[line] ?? this.text.length;
    let end = starts[line + 1] ?? this.text.length;
    if (end > start && this.text[end - 1] === '\n') end -= 1;
    if (end > start && this.text[end - 1] === '\r') end -= 1;
    return { start, end };
  }

  #starts(): readonly number[] {
    this.#lineStarts ??= findLineStarts(this.text);
    return this.#lineStarts;
  }
}

/** Returns the one-based line and column for people; the column counts code points. */
export function humanPosition(source: SourceText, offset: number): { readonly line: number; readonly column: number } {
  const { line, character } = source.positionAt(offset);
  const { start } = source.lineRange(line);
  let column = 1;
  for (let at = start; at < start + character; column += 1) {
    at += source.text.codePointAt(at)! > 0xffff ? 2 : 1;
  }
  return { line: line + 1, column };
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}

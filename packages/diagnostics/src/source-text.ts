import type { Position, Range, TextEdit } from './diagnostic.ts';

/** Returns where the line begins that contains an offset. Lines end with a line feed. */
export function lineStart(text: string, offset: number): number {
  // From a negative position, `lastIndexOf` looks at position 0.
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** What characters of positions count: code units of UTF-16, or bytes of UTF-8. */
export type ColumnUnit = 'utf-16' | 'utf-8';

/** A document with an index of its lines, which end at LF, CR LF or CR, as in editors. */
export class SourceText {
  /** A path or URI, as in diagnostics. */
  readonly uri: string;
  readonly text: string;
  /** What characters of positions count. Offsets are always those of UTF-16. */
  readonly columns: ColumnUnit;
  /** Computed on first use: most documents have no diagnostics and need no lines. */
  #lineStarts: Uint32Array | undefined;

  constructor(uri: string, text: string, columns: ColumnUnit = 'utf-16') {
    this.uri = uri;
    this.text = text;
    this.columns = columns;
  }

  /** Returns the source after an edit. Reads only the edited part for the index of lines, if there is one already. */
  edited({ range: { start, end }, newText }: TextEdit): SourceText {
    const { text } = this;
    const after = new SourceText(this.uri, text.slice(0, start) + newText + text.slice(end), this.columns);
    const starts = this.#lineStarts;
    if (starts)
      after.#lineStarts = editedStarts(starts, after.text, { start, end, by: after.text.length - text.length });
    return after;
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
    const start = starts[low]!;
    const character = this.columns === 'utf-16' ? inside - start : utf8Length(this.text, start, inside);
    return { line: low, character };
  }

  /** Returns the UTF-16 offset of a position, clamped to the text. */
  offsetAt(position: Position): number {
    if (position.line < 0) return 0;
    if (position.line >= this.lineCount) return this.text.length;
    const { start, end } = this.lineRange(position.line);
    const character = Math.max(position.character, 0);
    return this.columns === 'utf-16'
      ? Math.min(start + character, end)
      : utf8Offset(this.text, { start, end }, character);
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

  #starts(): Uint32Array {
    this.#lineStarts ??= findLineStarts(this.text);
    return this.#lineStarts;
  }
}

/** Returns the one-based line and column for people; the column counts code points. */
export function humanPosition(source: SourceText, offset: number): { readonly line: number; readonly column: number } {
  const { line } = source.positionAt(offset);
  const { start } = source.lineRange(line);
  const end = Math.min(offset, source.text.length);
  let column = 1;
  for (let at = start; at < end; column += 1) {
    at += source.text.codePointAt(at)! > 0xffff ? 2 : 1;
  }
  return { line: line + 1, column };
}

/** Returns the number of bytes of a part of a text in UTF-8. An unpaired surrogate counts like its replacement. */
function utf8Length(text: string, start: number, end: number): number {
  let length = 0;
  for (let at = start; at < end; ) {
    const code = text.codePointAt(at)!;
    // Half of a pair at the end counts as nothing: no position of UTF-8 is inside of it.
    if (code > 0xffff && at + 1 === end) break;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code > 0xffff ? 2 : 1;
  }
  return length;
}

/** Returns the offset in a line after a number of bytes in UTF-8; inside a character, that of its start. */
function utf8Offset(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  bytes: number,
): number {
  let at = start;
  for (let left = bytes; at < end; ) {
    const code = text.codePointAt(at)!;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (left < 0) break;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

function findLineStarts(text: string): Uint32Array {
  const starts = [0];
  addLineStarts(starts, text, { start: 0, end: text.length });
  return Uint32Array.from(starts);
}

/** Adds the starts of the lines whose line break ends in a range. */
function addLineStarts(starts: number[], text: string, { start, end }: Range): void {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) starts.push(at + 1);
  }
}

const LF = 10;
const CR = 13;

/** Returns the starts of lines after the text in a range was replaced. The ends of a range may divide or join a CR LF. */
function editedStarts(
  before: Uint32Array,
  text: string,
  { start, end, by }: Range & { readonly by: number },
): Uint32Array {
  const first = Math.max(start - 1, 0);
  const kept = indexAbove(before, first);
  const behind = indexAbove(before, end);
  const added: number[] = [];
  addLineStarts(added, text, { start: first, end: end + by });
  const starts = new Uint32Array(kept + added.length + before.length - behind);
  starts.set(before.subarray(0, kept));
  starts.set(added, kept);
  let at = kept + added.length;
  for (let index = behind; index < before.length; index += 1) starts[at++] = before[index]! + by;
  return starts;
}

/** Returns the index of the first number above a limit. */
function indexAbove(numbers: Uint32Array, limit: number): number {
  let low = 0;
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** An index of the lines of a text, built once: a whole document may be on one line. */
export class SourceLines {
  readonly text: string;
  readonly #starts: readonly number[];

  /** @param text has only LF line breaks */
  constructor(text: string) {
    this.text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** Returns the zero-based column of an offset. */
  columnOf(offset: number): number {
    return offset - this.#startOf(offset);
  }

  /** Returns true if the line before that of the offset is empty. */
  hasBlankBefore(offset: number): boolean {
    const { text } = this;
    const start = this.#startOf(offset);
    if (start === 0) return false;
    for (let at = start - 2; ; at -= 1) {
      const code = text.charCodeAt(at);
      if (at < 0 || code === LINE_FEED) return true;
      if (code !== SPACE && text.slice(at, at + 1).trim() !== '') return false;
    }
  }

  /** Returns the start of the line of an offset; usually a few spaces before it. */
  #startOf(offset: number): number {
    const { text } = this;
    for (let at = offset; at > offset - NEAR; at -= 1) if (at === 0 || text.charCodeAt(at - 1) === LINE_FEED) return at;
    return this.#starts[this.#lineOf(offset)]!;
  }

  #lineOf(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** A document may be on one line, so the way back is bounded. */
const NEAR = 100;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

import type { SkipReason } from '../exchange/batch.ts';
import { type DecodedText, Utf8Decoder } from './decode-utf8.ts';

/** A line without its line ending. */
export interface Line {
  readonly text: string;
  /** Why it is not a record in any format. A line longer than the limit is truncated. */
  readonly fault: LineFault | undefined;
}

/** Why a line is not a record in any format. */
type LineFault = Extract<SkipReason, 'traffic/line-too-long' | 'traffic/not-utf-8' | 'traffic/nul-byte'>;

/**
 * Yields the lines of a byte stream, one batch per chunk. Holds at most one chunk and `maxLineLength` UTF-16 units. Lines end with LF or CRLF;
 * a byte order mark is dropped.
 */
export async function* readLines(source: AsyncIterable<Uint8Array>, maxLineLength: number): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter(maxLineLength);
  const decoder = new Utf8Decoder();
  for await (const chunk of source) {
    const lines = splitter.push(decoder.push(chunk));
    if (lines.length > 0) yield lines;
  }
  const last = [...splitter.push(decoder.end()), ...splitter.end()];
  if (last.length > 0) yield last;
}

class LineSplitter {
  readonly #maxLength: number;
  #rest = '';
  #tooLong = false;
  #atStart = true;
  /** Whether the incomplete line contains invalid UTF-8. */
  #isInvalid = false;
  #hasNul = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  push({ text, invalid }: DecodedText): Line[] {
    const lines: Line[] = [];
    this.#hasNul = text.indexOf('\0') >= 0 || (this.#hasNul && this.#rest !== '');
    let start = this.#atStart && text.startsWith('\ufeff') ? 1 : 0;
    if (text !== '') this.#atStart = false;
    for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', start)) {
      this.#isInvalid ||= invalid.has(lines.length);
      lines.push(this.#complete(text.slice(start, end)));
      start = end + 1;
    }
    this.#isInvalid ||= invalid.has(lines.length);
    if (!this.#tooLong) this.#rest += text.slice(start);
    this.#cut();
    return lines;
  }

  end(): Line[] {
    return this.#rest === '' ? [] : [this.#complete('')];
  }

  #complete(tail: string): Line {
    if (!this.#tooLong) this.#rest = this.#rest === '' ? tail : this.#rest + tail;
    this.#cut();
    const text = this.#rest.endsWith('\r') ? this.#rest.slice(0, -1) : this.#rest;
    const line: Line = { text, fault: this.#faultOf(text) };
    this.#rest = '';
    this.#tooLong = false;
    this.#isInvalid = false;
    return line;
  }

  #faultOf(text: string): LineFault | undefined {
    if (this.#tooLong) return 'traffic/line-too-long';
    if (this.#isInvalid) return 'traffic/not-utf-8';
    return this.#hasNul && text.indexOf('\0') >= 0 ? 'traffic/nul-byte' : undefined;
  }

  /** Copies the rest of a line that is too long, so that it does not keep the chunk in memory. */
  #cut(): void {
    if (this.#rest.length <= this.#maxLength) return;
    this.#rest = Buffer.from(this.#rest.slice(0, 256)).toString();
    this.#tooLong = true;
  }
}

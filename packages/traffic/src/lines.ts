import { StringDecoder } from 'node:string_decoder';
import type { SkipReason } from './batch.ts';

/** A line without its end. */
export interface Line {
  readonly text: string;
  /** Why it is no record, whatever the format. Of a line longer than the limit only the beginning is left. */
  readonly fault: LineFault | undefined;
}

/** Why a line is no record of any format. */
export type LineFault = Extract<SkipReason, 'traffic/line-too-long' | 'traffic/not-utf-8' | 'traffic/nul-byte'>;

/**
 * Gives the lines of a byte stream in batches, one batch for each chunk of the stream. Holds at most one chunk and
 * `maxLineLength` UTF-16 units. Ends are LF or CRLF; a byte order mark is dropped.
 */
export async function* readLines(source: AsyncIterable<Uint8Array>, maxLineLength: number): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter(maxLineLength);
  const decoder = new StringDecoder('utf8');
  for await (const chunk of source) {
    const lines = splitter.push(decoder.write(chunk as Buffer));
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
  /** Something in what is at hand may be no text. */
  #isSuspect = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  push(chunk: string): Line[] {
    const lines: Line[] = [];
    this.#isSuspect = faultOf(chunk) !== undefined || (this.#isSuspect && this.#rest !== '');
    let text = this.#atStart && chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk;
    if (chunk !== '') this.#atStart = false;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      lines.push(this.#complete(text.slice(start, end)));
      start = end + 1;
    }
    text = text.slice(start);
    if (!this.#tooLong) this.#rest += text;
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
    return line;
  }

  #faultOf(text: string): LineFault | undefined {
    if (this.#tooLong) return 'traffic/line-too-long';
    return this.#isSuspect ? faultOf(text) : undefined;
  }

  /** What is kept of a line that is too long is copied, so that it does not hold the chunk that it is a slice of. */
  #cut(): void {
    if (this.#rest.length <= this.#maxLength) return;
    this.#rest = Buffer.from(this.#rest.slice(0, 256)).toString();
    this.#tooLong = true;
  }
}

/** Where bytes are no UTF-8, U+FFFD stands for them. Servers write neither that nor NUL: a file has them that was damaged. */
function faultOf(text: string): LineFault | undefined {
  if (text.indexOf('\ufffd') >= 0) return 'traffic/not-utf-8';
  return text.indexOf('\0') >= 0 ? 'traffic/nul-byte' : undefined;
}

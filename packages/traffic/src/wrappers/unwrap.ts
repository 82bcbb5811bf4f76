import type { Wrapper } from './wrappers.ts';

/** Unwraps a log line by line. Lines keep their numbers; a line in several parts has that of its last part. */
export async function* unwrapped(
  source: AsyncIterable<Uint8Array>,
  wrapper: Wrapper,
  maxLineBytes: number,
): AsyncGenerator<Uint8Array> {
  const unwrapper = new Unwrapper(wrapper, maxLineBytes);
  for await (const chunk of source) {
    const bytes = unwrapper.push(chunk);
    if (bytes.length > 0) yield bytes;
  }
  yield unwrapper.end();
}

/** Holds at most one line, and the parts of one line per stream; longer lines are passed on unchanged, and skipped by readers. */
export class Unwrapper {
  readonly #wrapper: Wrapper;
  readonly #maxLineBytes: number;
  readonly #parts = new Map<string, string>();
  #rest = '';
  /** Whether the beginning of a line that is too long has been passed on. */
  #isTooLong = false;
  #isAtStart = true;

  constructor(wrapper: Wrapper, maxLineBytes: number) {
    this.#wrapper = wrapper;
    this.#maxLineBytes = maxLineBytes;
  }

  push(chunk: Uint8Array): Buffer {
    const lines = (this.#rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')).split(
      '\n',
    );
    this.#rest = lines.pop()!;
    let text = '';
    for (const line of lines) text += `${this.#line(line)}\n`;
    if (this.#rest.length > this.#maxLineBytes) {
      text += this.#rest;
      this.#rest = '';
      this.#isTooLong = true;
    }
    return Buffer.from(text, 'latin1');
  }

  /** Returns the last line, and incomplete lines. */
  end(): Buffer {
    const last = this.#rest === '' ? '' : this.#line(this.#rest);
    const open = [...this.#parts.values()];
    return Buffer.from([...(last === '' ? [] : [last]), ...open].join('\n'), 'latin1');
  }

  #line(written: string): string {
    const line = this.#isAtStart && written.startsWith('\xef\xbb\xbf') ? written.slice(3) : written;
    this.#isAtStart = false;
    if (this.#isTooLong) {
      this.#isTooLong = false;
      return line;
    }
    const found = this.#wrapper.unwrap(line);
    if (found === undefined) return line;
    const { text, isPart, stream } = found;
    const whole = (this.#parts.get(stream) ?? '') + text;
    if (isPart && whole.length <= this.#maxLineBytes) {
      this.#parts.set(stream, whole);
      return '';
    }
    this.#parts.delete(stream);
    return whole;
  }
}

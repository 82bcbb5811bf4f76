import { isUtf8 } from 'node:buffer';

/** A stretch of text, decoded from a chunk of bytes. */
export interface DecodedText {
  readonly text: string;
  /** Which of the stretches between line feeds, counted from 0, hold bytes that are no UTF-8: U+FFFD stands for those. */
  readonly invalid: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();
const LINE_FEED = 10;
const NOTHING = new Uint8Array(0);

/** Decodes UTF-8 that comes in chunks, which may end within a character. */
export class Utf8Decoder {
  /** The beginning of a character. */
  #rest: Uint8Array = NOTHING;

  push(chunk: Uint8Array): DecodedText {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = endOfCharacters(bytes);
    this.#rest = end === bytes.length ? NOTHING : Uint8Array.prototype.slice.call(bytes, end);
    return decode(bytes.subarray(0, end));
  }

  /** What is left is no whole character. */
  end(): DecodedText {
    const rest = this.#rest;
    this.#rest = NOTHING;
    return decode(rest);
  }
}

function decode(bytes: Uint8Array): DecodedText {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  // The sign may also have been written itself.
  const invalid = text.indexOf('\ufffd') < 0 || isUtf8(bytes) ? NONE : invalidLines(bytes);
  return { text, invalid };
}

function invalidLines(bytes: Uint8Array): ReadonlySet<number> {
  const invalid = new Set<number>();
  let start = 0;
  for (let index = 0; start <= bytes.length; index++) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    if (!isUtf8(bytes.subarray(start, end))) invalid.add(index);
    start = end + 1;
  }
  return invalid;
}

/** Where the last character begins, if its bytes may go on in the next chunk; else the end. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

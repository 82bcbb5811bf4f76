import { isUtf8 } from 'node:buffer';

/** A string decoded from a chunk of bytes. */
export interface DecodedText {
  readonly text: string;
  /** Indexes of the lines, split at line feeds, that contain invalid UTF-8, which U+FFFD replaces. */
  readonly invalid: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();
const LINE_FEED = 10;
const NOTHING = new Uint8Array(0);

/** Decodes UTF-8 in chunks that may end within a character. */
export class Utf8Decoder {
  /** The incomplete character at the end. */
  #rest: Uint8Array = NOTHING;

  push(chunk: Uint8Array): DecodedText {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = endOfCharacters(bytes);
    this.#rest = end === bytes.length ? NOTHING : Uint8Array.prototype.slice.call(bytes, end);
    return decode(bytes.subarray(0, end));
  }

  /** The rest is an incomplete character. */
  end(): DecodedText {
    const rest = this.#rest;
    this.#rest = NOTHING;
    return decode(rest);
  }
}

function decode(bytes: Uint8Array): DecodedText {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  // The source may contain U+FFFD itself.
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

/** Returns the start of the last character if it may continue in the next chunk; else the end. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Logs line by line: splits bytes, decodes UTF-8, and collects the exchanges of a chunk and what was skipped. */
import { bytesToUtf8, concatBytes, utf8ToBytes } from '@tollgate/diagnostics/portable';
import {
  type Exchange,
  excerptOf,
  type RecordLocation,
  type SkippedRecord,
  type SkipReason,
  type TrafficBatch,
} from '../exchange/exchange.ts';

/** Reads one line of a log; returns undefined for a line that is not a record, such as a comment. */
export type ReadLine = (text: string, place: RecordLocation) => Exchange | SkipReason | undefined;

/** A log to read. */
export interface LogSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** As the user named it. */
  readonly file: string;
  /** In UTF-16 units. */
  readonly maxLineLength: number;
  /** Returns where a line breaks the format of the log. */
  readonly explain?: ((text: string) => string | undefined) | undefined;
}

/** Reads a log with one record per line, one batch per chunk of the stream. Skips lines that are not exchanges; empty lines are not reported. */
export async function* readLog(
  { bytes, file, maxLineLength, explain }: LogSource,
  readLine: ReadLine,
): AsyncGenerator<TrafficBatch> {
  let number = 0;
  let explained = 0;
  const explainSome = (text: string) => (explained++ < MAX_EXPLAINED ? explain?.(text) : undefined);
  for await (const lines of readLines(bytes, maxLineLength)) {
    yield readBatch(lines, { file, before: number, explain: explainSome }, readLine);
    number += lines.length;
  }
}

/** The number of skipped lines that are explained. */
const MAX_EXPLAINED = 3;

/** The start of a batch: `before` lines of the file precede it. */
interface BatchStart {
  readonly file: string;
  readonly before: number;
  readonly explain: (text: string) => string | undefined;
}

function readBatch(lines: readonly Line[], { file, before, explain }: BatchStart, readLine: ReadLine): TrafficBatch {
  const exchanges: Exchange[] = [];
  const skipped: SkippedRecord[] = [];
  for (let index = 0; index < lines.length; index++) {
    const { text, fault } = lines[index]!;
    if (text === '') continue;
    const place: RecordLocation = { file, number: before + index + 1, unit: 'line' };
    const exchange = fault ?? readLine(text, place);
    if (exchange === undefined) continue;
    if (typeof exchange !== 'string') exchanges.push(exchange);
    else {
      const detail = exchange === 'traffic/malformed-line' ? explain(text) : undefined;
      skipped.push({ place, reason: exchange, excerpt: excerptOf(text), ...(detail !== undefined && { detail }) });
    }
  }
  return { exchanges, skipped };
}

/** A line without its line ending. */
interface Line {
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
async function* readLines(source: AsyncIterable<Uint8Array>, maxLineLength: number): AsyncGenerator<Line[]> {
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
    this.#rest = bytesToUtf8(utf8ToBytes(this.#rest.slice(0, 256)));
    this.#tooLong = true;
  }
}

/** A string decoded from a chunk of bytes. */
interface DecodedText {
  readonly text: string;
  /** Indexes of the lines, split at line feeds, that contain invalid UTF-8, which U+FFFD replaces. */
  readonly invalid: ReadonlySet<number>;
}

const NO_LINES: ReadonlySet<number> = new Set();
const LINE_FEED = 10;
const NO_BYTES = new Uint8Array(0);

/** Decodes UTF-8 in chunks that may end within a character. */
class Utf8Decoder {
  /** The incomplete character at the end. */
  #rest: Uint8Array = NO_BYTES;

  push(chunk: Uint8Array): DecodedText {
    const bytes = this.#rest.length === 0 ? chunk : concatBytes([this.#rest, chunk]);
    const end = endOfCharacters(bytes);
    this.#rest = end === bytes.length ? NO_BYTES : new Uint8Array(bytes.subarray(end));
    return decode(bytes.subarray(0, end));
  }

  /** The rest is an incomplete character. */
  end(): DecodedText {
    const rest = this.#rest;
    this.#rest = NO_BYTES;
    return decode(rest);
  }
}

function decode(bytes: Uint8Array): DecodedText {
  const text = bytesToUtf8(bytes);
  // The source may contain U+FFFD itself.
  const invalid = text.indexOf('\ufffd') < 0 || isUtf8(bytes) ? NO_LINES : invalidLines(bytes);
  return { text, invalid };
}

const STRICT = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    STRICT.decode(bytes);
    return true;
  } catch {
    return false;
  }
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

/** Limits on what readers hold in memory. */
export interface TrafficLimits {
  /** Bytes of a HAR entry without its bodies; a larger one is skipped without being buffered. */
  readonly maxHarEntryBytes: number;
  /** UTF-16 units of a log line; a longer one is skipped without being buffered. */
  readonly maxLineLength: number;
}

/** The default limits. */
export const DEFAULT_TRAFFIC_LIMITS: TrafficLimits = {
  // Images in `data:` URLs are the largest values that browsers record.
  maxHarEntryBytes: 16 * 1024 * 1024,
  // Servers reject requests with more than 8 to 64 kB of headers; a log line contains some of them, with escapes up to four times as long.
  maxLineLength: 256 * 1024,
};

import { asExternalError, readAhead } from '../input/byte-source.ts';

/** A stretch of a file; bytes, half-open. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The lines of a range while they are read. */
export interface LineRange {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Line ends that were read; all there are when the bytes have been gone through. */
  readonly ends: () => number;
}

const LINE_FEED = 0x0a;

/**
 * Gives the lines that end in a range: ranges that lie next to each other give each line once. A range that does not begin the file begins with
 * the end of the line before, so that nothing at its start is taken for the start of the file.
 */
export function openLineRange(file: string, range: ByteRange, onBytes?: (bytes: number) => void): LineRange {
  let ends = 0;
  async function* counted() {
    for await (const chunk of linesIn(file, range)) {
      onBytes?.(chunk.length);
      ends += countEnds(chunk);
      yield chunk;
    }
  }
  return { bytes: counted(), ends: () => ends };
}

async function* linesIn(file: string, { from, to }: ByteRange): AsyncGenerator<Buffer> {
  const start = Math.max(0, from - 1);
  let at = start;
  let hasBegun = from === 0;
  try {
    for await (const chunk of readAhead(file, start)) {
      const first = hasBegun ? 0 : chunk.indexOf(LINE_FEED);
      const begin = at;
      at += chunk.length;
      if (first < 0) {
        if (at >= to) return;
        continue;
      }
      // A line that began before and goes on behind is none of this range.
      if (!hasBegun && begin + first >= to - 1) return;
      hasBegun = true;
      const end = at < to ? -1 : chunk.indexOf(LINE_FEED, Math.max(first, to - 1 - begin));
      yield chunk.subarray(first, end < 0 ? chunk.length : end + 1);
      if (end >= 0) return;
    }
  } catch (error) {
    throw asExternalError(error, file);
  }
}

function countEnds(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

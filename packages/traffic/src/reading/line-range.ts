import { asExternalError, readAhead } from '../input/byte-source.ts';

/** A range of a file in bytes, half-open. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The lines of a range while they are read. */
interface LineRange {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The number of line endings read so far; of all of them after the bytes have been read. */
  readonly ends: () => number;
}

const LINE_FEED = 0x0a;

/**
 * Reads the lines that end in a range: adjacent ranges return each line once. A range that does not start at the beginning of the file starts
 * with the previous line ending, so that its start is not mistaken for the start of the file.
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
      // A line that began before the range and ends after it does not belong to it.
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

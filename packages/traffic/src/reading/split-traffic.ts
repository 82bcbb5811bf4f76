import { open, stat } from 'node:fs/promises';
import type { TrafficBatch } from '../exchange/batch.ts';
import { isCompressed } from '../input/compression/decompress.ts';
import { detectFormat } from '../registry/detect-format.ts';
import type { TrafficFormat } from '../registry/registry.ts';
import { type ByteRange, openLineRange } from './line-range.ts';
import { HEAD_BYTES, howToRead, type ReadTrafficOptions, readAs, readTraffic } from './read-traffic.ts';

/** A part of the traffic that can be read separately: a range of lines, or a whole file. */
export interface TrafficPart {
  /** As the user named it. */
  readonly file: string;
  /** Undefined for a whole file. */
  readonly lines?: ByteRange & { readonly format: TrafficFormat };
}

/** A part of the traffic while it is read. */
export interface OpenTrafficPart {
  readonly batches: AsyncIterable<TrafficBatch>;
  /** What to add to line numbers in the part, not counting the lines before it, to get those in the file. */
  readonly offset: number;
  /** The number of lines in the part, once all batches have been read. */
  readonly lines: () => number;
}

/**
 * Splits a file into parts of about `partBytes` that can be read separately. Compressed files, pipes, formats without one record per line, and
 * files that cannot be read are a single part; reading it reports the error.
 */
export async function splitTraffic(
  file: string,
  options: ReadTrafficOptions,
  partBytes: number,
): Promise<readonly TrafficPart[]> {
  const size = await sizeOf(file);
  if (size < 2 * partBytes || options.content !== undefined) return [{ file }];
  const format = await lineFormatOf(file, options);
  if (format === undefined) return [{ file }];
  const count = Math.floor(size / partBytes);
  const bounds = Array.from({ length: count + 1 }, (_, index) => Math.floor((index * size) / count));
  return bounds.slice(0, -1).map((from, index) => {
    // A log that grows is read to its end.
    const to = index === count - 1 ? Number.MAX_SAFE_INTEGER : bounds[index + 1]!;
    return { file, lines: { from, to, format } };
  });
}

/** Reads a part; see {@link readTraffic}. */
export function readTrafficPart({ file, lines }: TrafficPart, options: ReadTrafficOptions): OpenTrafficPart {
  if (lines === undefined) return { batches: readTraffic(file, options), offset: 0, lines: () => 0 };
  const { bytes, ends } = openLineRange(file, lines, options.onBytes);
  // The range starts with the end of the previous line.
  const offset = lines.from === 0 ? 0 : -1;
  return { batches: readAs(lines.format, bytes, { file, options }), offset, lines: () => Math.max(0, ends() + offset) };
}

async function sizeOf(file: string): Promise<number> {
  if (file === '-') return 0;
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? found.size : 0;
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function lineFormatOf(file: string, options: ReadTrafficOptions): Promise<TrafficFormat | undefined> {
  try {
    const head = await headOf(file);
    if (isCompressed(head)) return undefined;
    const found = detectFormat({ bytes: head, isWhole: false, options: howToRead(options), format: options.format });
    // The parts of a wrapped line may be in several ranges.
    return found?.format.isLineByLine === true && found.wrapper === undefined ? found.format.name : undefined;
  } catch {
    // Reading it as a whole reports the error.
    return undefined;
  }
}

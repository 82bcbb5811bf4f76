import { open, stat } from 'node:fs/promises';
import { openFile, peek } from '../input/byte-source.ts';
import { decompress, isCompressed } from '../input/compression/decompress.ts';
import { HEAD_BYTES, howToRead, type ReadTrafficOptions } from '../reading/read-traffic.ts';
import { detectFormat } from '../registry/detect-format.ts';
import type { TrafficFormat } from '../registry/registry.ts';

/** What the beginning of a file says about it. */
export interface InspectedFile {
  readonly format: TrafficFormat;
  /** Whether each line is wrapped in a line of another program. */
  readonly isWrapped: boolean;
  readonly compression: 'uncompressed' | 'gzip' | 'zstd';
  /** Its beginning, decompressed. */
  readonly head: Buffer;
}

/** Inspects a file; returns undefined if it is not a regular file of recorded traffic. */
export async function inspectTraffic(file: string, options: ReadTrafficOptions): Promise<InspectedFile | undefined> {
  if (file === '-' || options.content !== undefined) return undefined;
  try {
    if (!(await stat(file)).isFile()) return undefined;
    const magic = await magicOf(file);
    const source = await peek(decompress(openFile(file), file), HEAD_BYTES);
    await source.close();
    const { head, isWhole } = source;
    const found = detectFormat({ bytes: head, isWhole, options: howToRead(options), format: options.format });
    if (found === undefined || source.failure !== undefined) return undefined;
    const compression = !isCompressed(magic) ? 'uncompressed' : magic[0] === 0x1f ? 'gzip' : 'zstd';
    return { format: found.format.name, isWrapped: found.wrapper !== undefined, compression, head };
  } catch {
    // Reading it as traffic reports the error.
    return undefined;
  }
}

async function magicOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(6), 0, 6, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** What the beginning of a file says about it. */
import { open, stat } from 'node:fs/promises';
import { bytesToUtf8 } from '@tollgate/diagnostics/portable';
import type { ReadTrafficOptions, TrafficFormat, UnreadMembers } from '@tollgate/traffic';
import {
  decompress,
  detectFormat,
  howToRead,
  isCompressed,
  parseObject,
  peekHead,
  unreadMembers,
} from '@tollgate/traffic/reading';
import { openFile } from './open-file.ts';
import { INFLATERS } from './read-traffic.ts';

/** What the beginning of a file says about it. */
export interface InspectedFile {
  readonly format: TrafficFormat;
  /** Whether each line is wrapped in a line of another program. */
  readonly isWrapped: boolean;
  readonly compression: 'uncompressed' | 'gzip' | 'zstd';
  /** Its beginning, decompressed. */
  readonly head: Uint8Array;
}

/** Returns the members that a mapping does not read in the first lines of a file, and what they seem to hold; undefined if the file is not JSON lines. */
export async function unreadMembersIn(file: string, options: ReadTrafficOptions): Promise<UnreadMembers | undefined> {
  const found = await inspectTraffic(file, options);
  if (found?.format !== 'json-lines' || found.isWrapped) return undefined;
  const lines = bytesToUtf8(found.head).split('\n').slice(0, INSPECTED_LINES);
  const records = lines.map(parseObject).filter(record => record !== undefined);
  return unreadMembers(records, options.mapping ?? {});
}

/** Enough to see the values of every member. */
const INSPECTED_LINES = 200;

/** Inspects a file; returns undefined if it is not a regular file of recorded traffic. */
export async function inspectTraffic(file: string, options: ReadTrafficOptions): Promise<InspectedFile | undefined> {
  if (file === '-' || options.content !== undefined) return undefined;
  try {
    if (!(await stat(file)).isFile()) return undefined;
    const magic = await magicOf(file);
    const source = await peekHead(decompress(openFile(file), file, INFLATERS));
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

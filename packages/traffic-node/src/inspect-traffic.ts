/** What the beginning of a file says about it. */
import { open, stat } from 'node:fs/promises';
import { bytesToUtf8 } from '@tollgate/diagnostics/portable';
import type { Exchange, ReadTrafficOptions, TrafficFormat, UnreadMembers } from '@tollgate/traffic';
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
import { INFLATERS, readTraffic } from './read-traffic.ts';

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

/** Places of a file that are looked at, and the bytes that are read there. */
const EXCERPTS = { count: 32, bytes: 16 * 1024 };

/** Returns some exchanges from all parts of an uncompressed file whose lines are records. */
export async function exchangesAcross(file: string, options: ReadTrafficOptions): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  try {
    const content = excerptsOf(file);
    const read = readTraffic(file, { ...options, content, strict: false });
    for await (const batch of read) exchanges.push(...batch.exchanges);
  } catch {
    // Reading it as traffic reports the error.
  }
  return exchanges;
}

/** Yields complete lines from all parts of a file. */
async function* excerptsOf(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    for (let place = 0; place < EXCERPTS.count; place++) {
      const from = Math.floor((size / EXCERPTS.count) * place);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(EXCERPTS.bytes), 0, EXCERPTS.bytes, from);
      const bytes = buffer.subarray(0, bytesRead);
      yield bytes.subarray(bytes.indexOf('\n') + 1, bytes.lastIndexOf('\n') + 1);
    }
  } finally {
    await handle.close();
  }
}

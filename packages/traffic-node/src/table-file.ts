/** A file that DuckDB can open: the file itself, or a temporary copy of a stream. */
import { createWriteStream } from 'node:fs';
import { open, stat, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExternalError, writeProblem } from '@tollgate/diagnostics';
import { temporaryFolder } from './temporary-files.ts';

/** The source of a table's bytes. */
export interface TableSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** As the user named it. */
  readonly file: string;
  /** The file that the bytes come from, if any; it may be compressed, which the bytes are not. */
  readonly path?: string | undefined;
}

/** A table in a file, for readers with random access. */
interface TableFile {
  readonly path: string;
  /** For temporary data; removed with the rest. */
  readonly folder: string;
  readonly remove: () => void;
}

/**
 * Returns a file with the bytes of a table: the file itself if it is uncompressed, otherwise a temporary copy. Throws an `ExternalError`,
 * `traffic/no-temporary-file`, if no copy can be made.
 */
export async function tableFile(source: TableSource): Promise<TableFile> {
  const { path: folder, remove } = await guarded(source.file, async () => temporaryFolder('table'));
  try {
    return { path: await placed(source, folder), folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function placed({ bytes, file, path }: TableSource, folder: string): Promise<string> {
  const inside = join(folder, 'table');
  if (path === undefined || !(await isUncompressedFile(path))) {
    await guarded(file, () => pipeline(bytes, createWriteStream(inside)));
    return inside;
  }
  await closeUnread(bytes);
  const whole = resolve(path);
  // DuckDB treats these as a glob pattern, and cannot escape them.
  if (!/[*?[\]{}]/.test(whole)) return whole;
  await guarded(file, () => symlink(whole, inside));
  return inside;
}

/** The magic bytes of gzip (RFC 1952, section 2.3.1) and of Zstandard (RFC 8878, section 3.1.1). */
const COMPRESSED = ['1f8b', '28b52ffd'];

async function isUncompressedFile(file: string): Promise<boolean> {
  if (!(await stat(file)).isFile()) return false;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    const sign = buffer.toString('hex', 0, bytesRead);
    return !COMPRESSED.some(known => sign.startsWith(known));
  } finally {
    await handle.close();
  }
}

/** Returning a generator that has not started closes nothing. */
async function closeUnread(source: AsyncIterable<Uint8Array>): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  await iterator.next();
  await iterator.return?.();
}

async function guarded<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ExternalError || !(error instanceof Error)) throw error;
    const problem = `cannot copy \`${file}\` to a temporary file: ${writeProblem(error)}`;
    throw new ExternalError('traffic/no-temporary-file', problem, { cause: error });
  }
}

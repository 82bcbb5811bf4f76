/** Files and standard input as streams of bytes, with errors that users understand. */
import { open } from 'node:fs/promises';
import { ExternalError, fileProblem } from '@tollgate/diagnostics';

/** The records of a chunk stay in the processor's cache until they are decided: chunks of 64 KiB took 3 % more processor time. */
const CHUNK_BYTES = 16 * 1024;
/** Read ahead in larger blocks: otherwise a replay waited for chunks for 6 to 12 of 100 ms. */
const READ_BYTES = 16 * CHUNK_BYTES;

/** Reads a file, or standard input for `-`. A chunk is valid until the next one is requested. Throws {@link ExternalError}s while reading. */
export async function* openFile(file: string, onBytes?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file === '-' ? process.stdin : readAhead(file)) {
      onBytes?.((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw asExternalError(error, file);
  }
}

/** Fills one buffer while the other is used. A chunk is valid until the next one is requested. Throws system errors. */
async function* readAhead(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  const read = (buffer: Buffer) => handle.read(buffer, 0, buffer.length);
  let [filling, other] = [Buffer.allocUnsafeSlow(READ_BYTES), Buffer.allocUnsafeSlow(READ_BYTES)];
  let next = read(filling);
  let hasEnded = false;
  try {
    for (;;) {
      const { buffer, bytesRead } = await next;
      hasEnded = bytesRead === 0;
      if (hasEnded) return;
      [filling, other] = [other, filling];
      next = read(filling);
      // The error is thrown when the chunk is awaited, unless the reader stops before.
      next.catch(() => {});
      for (let at = 0; at < bytesRead; at += CHUNK_BYTES)
        yield buffer.subarray(at, Math.min(at + CHUNK_BYTES, bytesRead));
    }
  } finally {
    // The pending read of a pipe may never complete.
    const closing = next.catch(() => {}).then(() => handle.close());
    if (hasEnded) await closing;
  }
}

const MESSAGES: Readonly<Record<string, readonly [code: string, message: string]>> = {
  ENOENT: ['file/not-found', 'no such file'],
  EACCES: ['file/no-permission', 'reading it is not permitted'],
  EISDIR: ['file/is-directory', 'it is a directory'],
};

/** Describes an I/O error in words. */
export function asExternalError(error: unknown, file: string): ExternalError {
  if (error instanceof ExternalError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const known = MESSAGES[code ?? ''];
  if (known !== undefined) return new ExternalError(known[0], `cannot read \`${file}\`: ${known[1]}`, { cause: error });
  return new ExternalError('file/unreadable', `cannot read \`${file}\`: ${fileProblem(error)}`, { cause: error });
}

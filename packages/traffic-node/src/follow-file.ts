/** Recordings that grow while they are read, as with `tail -F`: through rotation and truncation. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { asExternalError } from './open-file.ts';

/** How often a file is looked at that had nothing more to read, in ms. */
const POLL_MS = 200;

/** How long a file that was rotated away is still read once its successor has content, in ms: the processes of a server change at different times. */
const OVERLAP_MS = 1000;

/** Records of a small chunk are decided before they are moved to the old generation. */
const READ_BYTES = 16 * 1024;

/** How a recording is followed. */
export interface FollowOptions {
  /** Ends the recording. */
  readonly stop: AbortSignal;
  /** Begins with what is written from now on. */
  readonly isFromEnd?: boolean;
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/**
 * Yields the contents of a file and then of each file that takes its name, each as a stream that waits for more at its end. A new one begins when
 * the file is rotated, or is truncated. The streams are to be read one after the other. Throws an `ExternalError` if the file cannot be read when
 * the first stream is; later it may be missing for a while.
 */
export async function* followFile(file: string, options: FollowOptions): AsyncGenerator<AsyncGenerator<Uint8Array>> {
  const { stop } = options;
  let next: OpenedFile | undefined;
  try {
    next = await openAt(file, options.isFromEnd === true);
    while (next !== undefined && !stop.aborted) {
      const current: FollowedFile = new FollowedFile(file, next, options);
      yield current.read();
      next = current.successor ?? (await waitForFile(file, stop));
    }
  } catch (error) {
    throw asExternalError(error, file);
  } finally {
    if (stop.aborted) await next?.handle.close();
  }
}

interface OpenedFile {
  readonly handle: FileHandle;
  /** Where reading begins. */
  readonly from: number;
}

async function openAt(file: string, isAtEnd: boolean): Promise<OpenedFile> {
  const handle = await open(file);
  return { handle, from: isAtEnd ? (await handle.stat()).size : 0 };
}

/** A server that rotates its log may create the next one a little later. */
async function waitForFile(file: string, stop: AbortSignal): Promise<OpenedFile | undefined> {
  while (!stop.aborted) {
    const opened = await openAt(file, false).catch(() => undefined);
    if (opened !== undefined) return opened;
    await wait(stop);
  }
  return undefined;
}

/** One file, until another one takes its name. */
class FollowedFile {
  /** The same file from its beginning, or the one that has its name now; undefined if there is none yet. */
  successor: OpenedFile | undefined;
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #options: FollowOptions;
  /** A chunk is valid until the next one is requested. */
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #position: number;

  constructor(file: string, { handle, from }: OpenedFile, options: FollowOptions) {
    this.#file = file;
    this.#handle = handle;
    this.#position = from;
    this.#options = options;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    const { stop } = this.#options;
    try {
      while (!stop.aborted) {
        yield* this.#readToEnd();
        if (await this.#isTruncated()) {
          this.successor = { handle: await open(this.#file), from: 0 };
          return;
        }
        if (await this.#isReplaced()) {
          for (const start = performance.now(); performance.now() - start < OVERLAP_MS && !stop.aborted; ) {
            await wait(stop);
            yield* this.#readToEnd();
          }
          return;
        }
        await wait(stop);
      }
    } finally {
      await this.#handle.close();
    }
  }

  async *#readToEnd(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const buffer = this.#buffer;
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      this.#options.onBytes?.(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  }

  async #isTruncated(): Promise<boolean> {
    return (await this.#handle.stat()).size < this.#position;
  }

  /** Whether another file has the name, and something in it: until then, the server may still write to this one. */
  async #isReplaced(): Promise<boolean> {
    const now = await stat(this.#file, { bigint: true }).catch(() => undefined);
    if (now === undefined || now.size === 0n) return false;
    const own = await this.#handle.stat({ bigint: true });
    return now.ino !== own.ino || now.dev !== own.dev;
  }
}

async function wait(stop: AbortSignal): Promise<void> {
  await sleep(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
}

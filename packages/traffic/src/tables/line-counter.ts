import { type FileHandle, open } from 'node:fs/promises';

const LINE_FEED = 10;
const CHUNK_BYTES = 256 * 1024;

/** Tells the lines of places in a file, by bytes; places are asked for in their order. */
export class LineCounter {
  readonly #file: FileHandle;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #line = 1;
  #position = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<LineCounter> {
    return new LineCounter(await open(path));
  }

  /** Gives the one-based line of a byte. */
  async lineAt(position: number): Promise<number> {
    while (this.#position < position) {
      const length = Math.min(CHUNK_BYTES, position - this.#position);
      const { bytesRead } = await this.#file.read(this.#chunk, 0, length, this.#position);
      if (bytesRead === 0) break;
      for (let at = 0; at < bytesRead; at++) if (this.#chunk[at] === LINE_FEED) this.#line++;
      this.#position += bytesRead;
    }
    return this.#line;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

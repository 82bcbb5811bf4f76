import { type FileHandle, open } from 'node:fs/promises';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const CHUNK_BYTES = 256 * 1024;

/** Finds the lines of byte positions in a file, asked for in ascending order. A line ends with LF, CRLF or CR, as rows do. */
export class LineCounter {
  readonly #file: FileHandle;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  /** Of the chunk in the file, in bytes. */
  #start = 0;
  #length = 0;
  /** In the chunk: bytes before it are counted. */
  #offset = 0;
  #line = 1;
  #last = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<LineCounter> {
    return new LineCounter(await open(path));
  }

  /** Returns the one-based line of a byte. */
  async lineAt(position: number): Promise<number> {
    while (this.#start + this.#offset < position) {
      if (this.#offset === this.#length && !(await this.#readChunk())) break;
      const end = Math.min(this.#length, position - this.#start);
      while (this.#offset < end) this.#count(this.#chunk[this.#offset++]!);
    }
    return this.#line;
  }

  /** Reads the next chunk; returns false at the end of the file. */
  async #readChunk(): Promise<boolean> {
    this.#start += this.#length;
    const { bytesRead } = await this.#file.read(this.#chunk, 0, CHUNK_BYTES, this.#start);
    [this.#length, this.#offset] = [bytesRead, 0];
    return bytesRead > 0;
  }

  #count(byte: number): void {
    if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && this.#last !== CARRIAGE_RETURN)) this.#line++;
    this.#last = byte;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

import type { Transform } from 'node:stream';

/**
 * Drives a stream of `node:zlib` piece by piece. All that a piece gives has been taken when the next is written, so that an error in the
 * compressed data, or its early end, loses nothing of what came before the piece: piped streams lose what is on its way.
 */
export class Inflater {
  readonly #stream: Transform;
  #error: Error | undefined;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(stream: Transform) {
    this.#stream = stream;
    const wake = () => this.#wake();
    stream.on('readable', wake);
    stream.on('end', () => {
      this.#ended = true;
      wake();
    });
    stream.on('error', error => {
      this.#error = error;
      wake();
    });
  }

  /** Gives what the piece adds. Throws what the stream fails with. */
  async *write(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    let written = false;
    this.#stream.write(piece, () => {
      written = true;
      this.#wake();
    });
    yield* this.#read(() => written);
  }

  /** Gives what is left; throws when the data is not complete. */
  async *end(): AsyncGenerator<Uint8Array> {
    this.#stream.end();
    yield* this.#read(() => false);
  }

  close(): void {
    this.#stream.destroy();
  }

  async *#read(isDone: () => boolean): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk: Uint8Array | null = this.#stream.read();
      if (chunk !== null) yield chunk;
      else if (this.#error !== undefined) throw this.#error;
      else if (this.#ended || isDone()) return;
      else {
        await new Promise<void>(resolve => {
          this.#wake = resolve;
        });
      }
    }
  }
}

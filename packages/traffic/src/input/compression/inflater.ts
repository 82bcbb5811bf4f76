import type { Transform } from 'node:stream';

/**
 * Drives a `node:zlib` stream piece by piece. All output of a piece is read before the next one is written, so that an error in the compressed
 * data, or its early end, loses nothing before that piece; piped streams lose what is in transit.
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

  /** Yields the output of a piece. Throws the error of the stream. */
  async *write(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    let written = false;
    this.#stream.write(piece, () => {
      written = true;
      this.#wake();
    });
    yield* this.#read(() => written);
  }

  /** Yields the remaining output; throws if the data is incomplete. */
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

/** Recordings in files: opens them for the readers of `@tollgate/traffic`. */
import type { Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import {
  type ReadTrafficOptions,
  readTraffic as readContent,
  type TrafficBatch,
  type TrafficReader,
} from '@tollgate/traffic';
import type { Inflater, Inflaters } from '@tollgate/traffic/reading';
import { type FollowOptions, followFile } from './follow-file.ts';
import { openGeoDatabases } from './geo-databases.ts';
import { openFile } from './open-file.ts';
import { readTable } from './read-table.ts';

/**
 * Reads recorded traffic from a file, or from standard input for `-`, in batches, with bounded memory. Like {@link readContent}, with gzip, zstd,
 * CSV and Parquet.
 */
export function readTraffic(file: string, options: ReadTrafficOptions = {}): AsyncGenerator<TrafficBatch> {
  const { content = openFile(file, options.onBytes) } = options;
  const path = options.content === undefined && file !== '-' ? file : undefined;
  return readContent(file, {
    ...options,
    content,
    // The writer of a pipe may wait for results.
    isLive: file === '-' && options.content === undefined,
    inflaters: INFLATERS,
    tables: (format, source) => readTable(format, { ...source, path }),
  });
}

/** Reads recordings from files, and locates clients with MaxMind DB files. */
export const FILE_READER: TrafficReader = { read: readTraffic, locate: openGeoDatabases };

/** Reads recordings while they are written, until the signal aborts: see {@link followFile}. Standard input is read to its end. */
export function followingReader(follow: Omit<FollowOptions, 'onBytes'>): TrafficReader {
  return {
    isGrowing: true,
    locate: openGeoDatabases,
    async *read(file, options = {}) {
      if (file === '-') yield* readTraffic(file, options);
      else
        for await (const content of followFile(file, { ...follow, onBytes: options.onBytes }))
          yield* readContent(file, { ...options, content, isLive: true, inflaters: INFLATERS });
    },
  };
}

const OUTPUT = { chunkSize: 64 * 1024 };

/** Decompressors of Node; gzip with several members. */
export const INFLATERS: Inflaters = {
  gzip: () => new StreamInflater(createGunzip(OUTPUT)),
  zstd: () => new StreamInflater(createZstdDecompress(OUTPUT)),
};

/**
 * Drives a `node:zlib` stream piece by piece. All output of a piece is read before the next one is written, so that an error in the compressed
 * data, or its early end, loses nothing before that piece; piped streams lose what is in transit.
 */
class StreamInflater implements Inflater {
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

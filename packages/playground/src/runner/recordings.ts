// Recordings that the page was given, read where they are: plain, gzip of several members, and zstd.

import { InternalError } from '@tollgate/diagnostics';
import type { TrafficReader } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic';
import type { Inflater, Inflaters } from '@tollgate/traffic/reading';
import { Gunzip } from 'fflate';
import { Decompress } from 'fzstd';
import type { Recording } from '../jobs.ts';
import { readTable } from './csv-table.ts';

/** Read at a time: the records of a chunk stay in the processor's cache until they are decided. */
const CHUNK_BYTES = 64 * 1024;

/** Returns a reader of recordings by their names. */
export function recordingReader(recordings: readonly Recording[], onBytes: (bytes: number) => void): TrafficReader {
  const byName = new Map(recordings.map(({ name, content }) => [name, content]));
  return {
    read: (file, options) =>
      readTraffic(file, {
        ...options,
        content: chunksOf(byName.get(file) ?? new Blob([]), onBytes),
        inflaters: INFLATERS,
        tables: readTable,
      }),
    locate: async () => {
      throw new InternalError('recordings of the playground name no databases of locations');
    },
  };
}

async function* chunksOf(blob: Blob, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += CHUNK_BYTES) {
    const bytes = new Uint8Array(await blob.slice(at, at + CHUNK_BYTES).arrayBuffer());
    onBytes(bytes.length);
    yield bytes;
  }
}

/** Decompressors without a platform: that of browsers reads only the first member of a gzip file. */
export const INFLATERS: Inflaters = { gzip: () => gunzipper(), zstd: () => unzstdder() };

/** The part of both libraries that is used: chunks go in, and come out through a callback. */
interface Decompressor {
  readonly push: (chunk: Uint8Array, isFinal?: boolean) => void;
}

function gunzipper(): Inflater {
  const out: Uint8Array[] = [];
  return inflaterOf(new Gunzip(chunk => void out.push(chunk)), out);
}

function unzstdder(): Inflater {
  const out: Uint8Array[] = [];
  return inflaterOf(new Decompress(chunk => void out.push(chunk)), out);
}

function inflaterOf(decompressor: Decompressor, out: Uint8Array[]): Inflater {
  async function* push(piece: Uint8Array, isFinal: boolean): AsyncGenerator<Uint8Array> {
    try {
      // A copy, since both libraries keep what they were given.
      decompressor.push(piece.slice(), isFinal);
    } catch (error) {
      yield* out.splice(0);
      throw isFinal
        ? Object.assign(new Error('the data ends too early', { cause: error }), { code: 'Z_BUF_ERROR' })
        : error;
    }
    yield* out.splice(0);
  }
  return { write: piece => push(piece, false), end: () => push(new Uint8Array(0), true), close: () => {} };
}

import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ExternalError } from '@tollgate/diagnostics';
import { peek } from '../byte-source.ts';
import { Inflater } from './inflater.ts';
import { ZstdFrames, type ZstdPart } from './zstd-frames.ts';

/** Decompressed at a time; damage loses at most the output of this much input. */
const PIECE_BYTES = 16 * 1024;
const OUTPUT = { chunkSize: 64 * 1024 };

/** Magic bytes of unsupported compression formats. */
const OTHERS: readonly (readonly [magic: string, name: string])[] = [
  ['425a68', 'bzip2'],
  ['fd377a585a', 'xz'],
  ['504b0304', 'zip'],
  ['04224d18', 'lz4'],
];

/** Decompresses a gzip or zstd stream; any other stream passes unchanged. */
export async function* decompress(source: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(source, 6);
  const magic = head.toString('hex', 0, 6);
  if (magic.startsWith('1f8b')) yield* gunzip(whole, file);
  else if (/^(?:28b52ffd|5.2a4d18)/.test(magic)) yield* unzstd(whole, file);
  else {
    const other = OTHERS.find(([start]) => magic.startsWith(start));
    if (other !== undefined) throw unknownCompression(file, other[1]);
    yield* whole;
  }
}

/** Returns true if the data is compressed, in a supported format or not. */
export function isCompressed(head: Buffer): boolean {
  const magic = head.toString('hex', 0, 6);
  return /^(?:1f8b|28b52ffd|5.2a4d18)/.test(magic) || OTHERS.some(([start]) => magic.startsWith(start));
}

function unknownCompression(file: string, name: string): ExternalError {
  const message = `cannot read \`${file}\`: it is compressed by ${name}; expected gzip or zstd`;
  return new ExternalError('file/unknown-compression', message);
}

async function* gunzip(source: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  const inflater = new Inflater(createGunzip(OUTPUT));
  const damaged = (error: unknown) => {
    const isCut = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
    return new ExternalError('file/corrupt-gzip', messageOf(file, isCut ? CUT : DAMAGED), { cause: error });
  };
  try {
    for await (const chunk of source) {
      for (const piece of piecesOf(chunk)) yield* orThrow(inflater.write(piece), damaged);
    }
    yield* orThrow(inflater.end(), damaged);
  } finally {
    inflater.close();
  }
}

async function* unzstd(source: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  const frames = new ZstdFrames();
  const damaged = (cause: unknown, message = DAMAGED) =>
    new ExternalError('file/corrupt-zstd', messageOf(file, message), { cause });
  let inflater: Inflater | undefined;
  try {
    for await (const chunk of source) {
      for (const part of frames.push(chunk)) {
        inflater ??= new Inflater(createZstdDecompress(OUTPUT));
        yield* orThrow(inflatePart(part, inflater), damaged);
        if (part.kind === 'data') continue;
        inflater.close();
        inflater = undefined;
      }
    }
    if (!frames.isComplete) throw damaged(undefined, CUT);
  } finally {
    inflater?.close();
  }
}

async function* inflatePart(part: ZstdPart, inflater: Inflater): AsyncGenerator<Uint8Array> {
  if (part.kind === 'fault') throw new Error(part.message);
  if (part.kind === 'frame-end') yield* inflater.end();
  else for (const piece of piecesOf(part.bytes)) yield* inflater.write(piece);
}

const CUT = 'the compressed data is truncated';
const DAMAGED = 'the compressed data is damaged';

function messageOf(file: string, problem: string): string {
  return `cannot read \`${file}\` to its end: ${problem}`;
}

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

async function* orThrow(
  bytes: AsyncIterable<Uint8Array>,
  asFailure: (error: unknown) => ExternalError,
): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      throw asFailure(error);
    });
    if (next.done === true) return;
    yield next.value;
  }
}

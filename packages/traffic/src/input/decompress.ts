/** Decompresses gzip and zstd, with several members, and yields everything that precedes damage. */
import type { Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ExternalError } from '@tollgate/diagnostics';
import { peek } from './byte-source.ts';

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

/**
 * Drives a `node:zlib` stream piece by piece. All output of a piece is read before the next one is written, so that an error in the compressed
 * data, or its early end, loses nothing before that piece; piped streams lose what is in transit.
 */
class Inflater {
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

/** A part of a zstd stream. The end of a frame follows its last data; nothing follows a fault. */
type ZstdPart =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'frame-end' }
  | { readonly kind: 'fault'; readonly message: string };

const FRAME = 0xfd2fb528;
/** The lowest four bits vary. */
const SKIPPABLE = 0x184d2a50;

type State = 'magic' | 'descriptor' | 'header' | 'block-header' | 'block' | 'checksum' | 'skip-size' | 'skip';

const FIELD_BYTES: Readonly<Partial<Record<State, number>>> = {
  magic: 4,
  descriptor: 1,
  'block-header': 3,
  'skip-size': 4,
};

/**
 * Finds the ends of the frames in a zstd stream (RFC 8878, section 3.1). Node's decompressor stops silently after the first, and does not
 * report that the last one is truncated.
 */
class ZstdFrames {
  #state: State = 'magic';
  /** The number of bytes left in the current field. */
  #left = 4;
  /** The bytes read so far of a small field. */
  #field: number[] = [];
  #hasChecksum = false;
  #isLastBlock = false;
  #fault: string | undefined;

  /** Whether the stream may end here. */
  get isComplete(): boolean {
    return this.#state === 'magic' && this.#field.length === 0;
  }

  *push(chunk: Uint8Array): Generator<ZstdPart> {
    let start = 0;
    for (let at = 0; at < chunk.length; ) {
      const was = this.#state;
      const field = this.#field;
      at += this.#take(chunk, at);
      if (this.#left > 0) continue;
      this.#next();
      if (was === 'magic') {
        if (this.#state === 'descriptor') yield { kind: 'data', bytes: Uint8Array.from(field) };
        start = at;
      }
      if (this.#fault !== undefined || this.#state === 'magic') {
        if (isOfFrame(was)) yield { kind: 'data', bytes: chunk.subarray(start, at) };
        if (this.#fault !== undefined) {
          yield { kind: 'fault', message: this.#fault };
          return;
        }
        if (isOfFrame(was)) yield { kind: 'frame-end' };
        start = at;
      }
    }
    if (isOfFrame(this.#state) && start < chunk.length) yield { kind: 'data', bytes: chunk.subarray(start) };
  }

  #take(chunk: Uint8Array, at: number): number {
    const count = Math.min(this.#left, chunk.length - at);
    if (this.#state in FIELD_BYTES) this.#field.push(...chunk.subarray(at, at + count));
    this.#left -= count;
    return count;
  }

  #next(): void {
    const value = this.#field.reduceRight((sum, byte) => sum * 256 + byte, 0);
    this.#field = [];
    switch (this.#state) {
      case 'magic':
        this.#afterMagic(value);
        return;
      case 'descriptor':
        this.#hasChecksum = (value & 4) !== 0;
        this.#enter('header', headerBytes(value));
        return;
      case 'block-header':
        this.#afterBlockHeader(value);
        return;
      case 'header':
        this.#enter('block-header');
        return;
      case 'block':
        if (!this.#isLastBlock) this.#enter('block-header');
        else if (this.#hasChecksum) this.#enter('checksum', 4);
        else this.#enter('magic');
        return;
      case 'skip-size':
        this.#enter('skip', value);
        return;
      case 'checksum':
      case 'skip':
        this.#enter('magic');
        return;
    }
  }

  #afterMagic(value: number): void {
    if (value === FRAME) this.#enter('descriptor');
    else if ((value & ~0xf) >>> 0 === SKIPPABLE) this.#enter('skip-size');
    else this.#fault = 'no frame begins where one ends';
  }

  #afterBlockHeader(value: number): void {
    this.#isLastBlock = (value & 1) !== 0;
    const type = (value >> 1) & 3;
    if (type === 3) this.#fault = 'a block is of an unknown type';
    // An RLE block has one byte and the number of repetitions.
    this.#enter('block', type === 1 ? 1 : value >> 3);
  }

  /** Empty fields end immediately. */
  #enter(state: State, bytes = FIELD_BYTES[state] ?? 0): void {
    this.#state = state;
    this.#left = bytes;
    if (bytes === 0) this.#next();
  }
}

function isOfFrame(state: State): boolean {
  return state !== 'magic' && state !== 'skip' && state !== 'skip-size';
}

/** Returns the size of a frame header after its descriptor: window, dictionary and content size. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3]!;
  const size = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  return (isSingleSegment ? 0 : 1) + dictionary + size;
}

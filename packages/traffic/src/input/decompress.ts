/** Decompresses gzip and zstd, with several members, and yields everything that precedes damage. */
import { ExternalError } from '@tollgate/diagnostics';
import { bytesToHex } from '@tollgate/diagnostics/portable';
import { peek } from './byte-source.ts';

/** Decompressed at a time; damage loses at most the output of this much input. */
const PIECE_BYTES = 16 * 1024;

/** Magic bytes of unsupported compression formats. */
const OTHERS: readonly (readonly [magic: string, name: string])[] = [
  ['425a68', 'bzip2'],
  ['fd377a585a', 'xz'],
  ['504b0304', 'zip'],
  ['04224d18', 'lz4'],
];

/** Decompresses the members of a gzip stream, or one frame of a zstd stream, piece by piece. */
export interface Inflater {
  /** Yields all output of a piece, so that damage further on loses nothing of it. Throws if the data is damaged. */
  readonly write: (piece: Uint8Array) => AsyncIterable<Uint8Array>;
  /** Yields the remaining output. Throws if the data is damaged; an error with the code `Z_BUF_ERROR` if it is incomplete. */
  readonly end: () => AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

/** Makes the decompressors of a platform. */
export interface Inflaters {
  readonly gzip: () => Inflater;
  readonly zstd: () => Inflater;
}

/** Decompresses a gzip or zstd stream; any other stream passes unchanged. Without inflaters, compressed streams are refused. */
export async function* decompress(
  source: AsyncIterable<Uint8Array>,
  file: string,
  inflaters: Inflaters | undefined,
): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(source, 6);
  const magic = bytesToHex(head.subarray(0, 6));
  const kind = magic.startsWith('1f8b') ? 'gzip' : ZSTD.test(magic) ? 'zstd' : undefined;
  const other = kind ?? OTHERS.find(([start]) => magic.startsWith(start))?.[1];
  if (other === undefined) yield* whole;
  else if (kind === undefined || inflaters === undefined)
    throw unknownCompression(file, other, inflaters === undefined ? 'uncompressed data' : 'gzip or zstd');
  else if (kind === 'gzip') yield* gunzip(whole, file, inflaters);
  else yield* unzstd(whole, file, inflaters);
}

/** The magic bytes of a frame with data (RFC 8878, section 3.1.1), and of one to skip (section 3.1.2). */
const ZSTD = /^(?:28b52ffd|5.2a4d18)/;

/** Returns true if the data is compressed, in a supported format or not. */
export function isCompressed(head: Uint8Array): boolean {
  const magic = bytesToHex(head.subarray(0, 6));
  return magic.startsWith('1f8b') || ZSTD.test(magic) || OTHERS.some(([start]) => magic.startsWith(start));
}

function unknownCompression(file: string, name: string, expected: string): ExternalError {
  const message = `cannot read \`${file}\`: it is compressed by ${name}; expected ${expected}`;
  return new ExternalError('file/unknown-compression', message);
}

async function* gunzip(
  source: AsyncIterable<Uint8Array>,
  file: string,
  { gzip }: Inflaters,
): AsyncGenerator<Uint8Array> {
  const inflater = gzip();
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

async function* unzstd(
  source: AsyncIterable<Uint8Array>,
  file: string,
  { zstd }: Inflaters,
): AsyncGenerator<Uint8Array> {
  const frames = new ZstdFrames();
  const damaged = (cause: unknown, message = DAMAGED) =>
    new ExternalError('file/corrupt-zstd', messageOf(file, message), { cause });
  let inflater: Inflater | undefined;
  try {
    for await (const chunk of source) {
      for (const part of frames.push(chunk)) {
        inflater ??= zstd();
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

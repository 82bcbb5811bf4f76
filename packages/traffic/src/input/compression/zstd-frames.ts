/** A part of a zstd stream. The end of a frame comes after its last stretch of data; after a fault nothing comes. */
export type ZstdPart =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'frame-end' }
  | { readonly kind: 'fault'; readonly message: string };

const FRAME = 0xfd2fb528;
/** The lowest four bits are free. */
const SKIPPABLE = 0x184d2a50;

type State = 'magic' | 'descriptor' | 'header' | 'block-header' | 'block' | 'checksum' | 'skip-size' | 'skip';

const FIELD_BYTES: Readonly<Partial<Record<State, number>>> = {
  magic: 4,
  descriptor: 1,
  'block-header': 3,
  'skip-size': 4,
};

/**
 * Finds where the frames of a zstd stream end (RFC 8878, section 3.1). The decompressor of Node stops silently after the first,
 * and does not tell when the last is cut off.
 */
export class ZstdFrames {
  #state: State = 'magic';
  /** Bytes of the current field that are still to come. */
  #left = 4;
  /** Those of a small field that have come. */
  #field: number[] = [];
  #hasChecksum = false;
  #isLastBlock = false;
  #fault: string | undefined;

  /** The stream may end here. */
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
    // A block of one byte that is repeated tells the number of repetitions.
    this.#enter('block', type === 1 ? 1 : value >> 3);
  }

  /** Fields of no byte are done at once. */
  #enter(state: State, bytes = FIELD_BYTES[state] ?? 0): void {
    this.#state = state;
    this.#left = bytes;
    if (bytes === 0) this.#next();
  }
}

function isOfFrame(state: State): boolean {
  return state !== 'magic' && state !== 'skip' && state !== 'skip-size';
}

/** Bytes of a frame's header after its descriptor: window, dictionary and size of the content. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3]!;
  const size = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  return (isSingleSegment ? 0 : 1) + dictionary + size;
}

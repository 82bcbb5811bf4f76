/** A part of a zstd stream. The end of a frame follows its last data; nothing follows a fault. */
export type ZstdPart =
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
export class ZstdFrames {
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

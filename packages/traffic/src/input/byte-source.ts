/** Streams of bytes whose beginning has been read. */
import { concatBytes } from '@tollgate/diagnostics/portable';

/** A byte stream whose beginning has been read. */
interface PeekedSource {
  readonly head: Uint8Array;
  /** The whole stream, including the beginning. Can be read once. */
  readonly whole: AsyncIterable<Uint8Array>;
  /** Nothing follows the head. */
  readonly isWhole: boolean;
  /** The error after the head, if reading failed. The whole stream throws it at its end. */
  readonly failure: unknown;
  /** Closes a source whose whole stream is not read. */
  readonly close: () => Promise<void>;
}

/**
 * Reads at least `size` bytes, or all there are; returns them along with the whole stream. Throws errors before the first byte.
 * @param isEnough whether fewer bytes suffice: more may not arrive for a long time
 */
export async function peek(
  source: AsyncIterable<Uint8Array>,
  size: number,
  isEnough: (head: Uint8Array) => boolean = () => false,
): Promise<PeekedSource> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let end: 'open' | 'whole' | 'failed' = 'open';
  let failure: unknown;
  for (let length = 0; length < size && end === 'open'; ) {
    try {
      const next = await iterator.next();
      if (next.done === true) end = 'whole';
      else {
        chunks.push(new Uint8Array(next.value));
        length += next.value.length;
        if (length < size && isEnough(concatBytes(chunks))) break;
      }
    } catch (error) {
      if (chunks.length === 0) throw error;
      [end, failure] = ['failed', error];
    }
  }
  const close = async () => void (await iterator.return?.());
  const rest = end === 'failed' ? failing(failure) : { [Symbol.asyncIterator]: () => iterator };
  return { head: concatBytes(chunks), whole: joined(chunks, rest), isWhole: end === 'whole', failure, close };
}

// biome-ignore lint/correctness/useYield: a source that fails before it gives anything
async function* failing(failure: unknown): AsyncGenerator<Uint8Array> {
  throw failure;
}

async function* joined(chunks: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = rest[Symbol.asyncIterator]();
  try {
    yield* chunks;
    yield* { [Symbol.asyncIterator]: () => iterator };
  } finally {
    // A reader that stops within the head has not started the rest, which is open nevertheless.
    await iterator.return?.();
  }
}

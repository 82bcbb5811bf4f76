// The frames of gRPC over HTTP/2 (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).

/** Splits the bytes of a stream into the messages that they carry. */
export class MessageReader {
  #pending: Buffer = Buffer.alloc(0);

  /** Whether the bytes so far end within a message. */
  get isWithin(): boolean {
    return this.#pending.length > 0;
  }

  /** Returns the messages that are complete. Throws an error if they are no messages. */
  read(chunk: Buffer): readonly Buffer[] {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const messages: Buffer[] = [];
    while (this.#pending.length >= PREFIX) {
      if (this.#pending[0] !== 0) throw new FrameError('expected a message without compression');
      const length = this.#pending.readUInt32BE(1);
      if (length > MAX_MESSAGE) throw new FrameError(`a message has ${length} bytes; at most ${MAX_MESSAGE} are read`);
      if (this.#pending.length < PREFIX + length) break;
      messages.push(this.#pending.subarray(PREFIX, PREFIX + length));
      this.#pending = this.#pending.subarray(PREFIX + length);
    }
    return messages;
  }
}

/** The bytes of a stream are no messages. */
class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** The flag for compression, and the length. */
const PREFIX = 5;
/** More than the headers that Envoy accepts, 8 MiB at most. */
const MAX_MESSAGE = 16 * 1024 * 1024;

/** Returns a message as it is sent. */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX);
  return frame;
}

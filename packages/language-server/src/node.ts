import type { Readable, Writable } from 'node:stream';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver-protocol/node';
import type { Transport } from './host.ts';

/** The streams of a client. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Returns the way to a client over streams, such as standard input and output. */
export function streamTransport({ input, output }: Streams): Transport {
  return {
    reader: new StreamMessageReader(input),
    writer: new StreamMessageWriter(output),
    afterInput: () => new Promise(setImmediate),
    onEnd: listen => {
      input.once('end', listen);
      input.once('close', listen);
    },
    end: () => void input.destroy(),
  };
}

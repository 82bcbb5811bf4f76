import type { Readable, Writable } from 'node:stream';
import { createConnection, type InitializeParams, type MessageStrategy } from 'vscode-languageserver';
import {
  createProtocolConnection,
  type Message,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { ServerSetup } from '../project/server-setup.ts';
import { capabilitiesFor } from './capabilities.ts';
import { readClient } from './client.ts';
import type { OpenSession } from './open-session.ts';

/** The streams of a client. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves a client until it says so or its input ends. Returns true if the client asked the server to shut down first. The answer to
 * `initialize` does not wait for analysis and lint rules to be loaded; all later messages do.
 */
export async function startServer(setup: ServerSetup, { input, output }: Streams): Promise<boolean> {
  const ending = Promise.withResolvers<void>();
  const watchDog = { shutdownReceived: false, initialize: () => {}, exit: () => ending.resolve() };
  const writer = new AnswerWriter(output);
  const gate = new MessageGate();
  const connection = createConnection(
    logger => createProtocolConnection(new StreamMessageReader(input), writer, logger, { messageStrategy: gate }),
    watchDog,
  );
  let session: OpenSession | undefined;
  connection.onInitialize((params: InitializeParams) => {
    const client = readClient(params);
    const load = async () => {
      await writer.answered;
      const [{ openSession }, host] = await Promise.all([import('./open-session.ts'), setup.loadHost()]);
      session = openSession({ connection, host, client }, params);
    };
    gate.closeUntil(load()).catch(ending.reject);
    return { capabilities: capabilitiesFor(client, setup), serverInfo: { name: 'tollgate', version: setup.version } };
  });
  input.once('end', () => ending.resolve());
  input.once('close', () => ending.resolve());
  connection.listen();
  await ending.promise;
  session?.end();
  connection.dispose();
  input.destroy();
  return watchDog.shutdownReceived;
}

/** Knows when the first message, which is the answer to `initialize`, has been sent. */
class AnswerWriter extends StreamMessageWriter {
  readonly #answer = Promise.withResolvers<void>();

  get answered(): Promise<void> {
    return this.#answer.promise;
  }

  override async write(message: Message): Promise<void> {
    await super.write(message);
    this.#answer.resolve();
  }
}

type Next = Parameters<MessageStrategy['handleMessage']>[1];

/** Holds messages back, in their order, until what handles them is there. */
class MessageGate implements MessageStrategy {
  #opening: Promise<void> | undefined;

  async closeUntil(opening: Promise<void>): Promise<void> {
    this.#opening = opening;
    await opening;
    this.#opening = undefined;
  }

  handleMessage(message: Message, next: Next): ReturnType<Next> {
    return this.#opening ? this.#opening.then(() => next(message)) : next(message);
  }
}

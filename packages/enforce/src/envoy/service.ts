// The service that Envoy asks about each request (envoy.service.ext_proc.v3.ExternalProcessor) or connection (envoy.service.auth.v3.Authorization).

import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Exchange, GeoFacts } from '@tollgate/traffic';
import type { EnforcedExchange, Enforcer } from '../enforcer.ts';
import { ATTRIBUTES_HEADER } from './configuration.ts';
import { framed, MessageReader } from './grpc.ts';
import {
  CheckRequestSchema,
  CheckResponseSchema,
  type ProcessingRequest,
  ProcessingRequestSchema,
  type ProcessingResponse,
  ProcessingResponseSchema,
} from './messages.ts';
import {
  answerMessage,
  checkMessage,
  forwardedMessage,
  liveConnection,
  liveRequest,
  liveResponse,
  responseMessage,
  SERVER_NAME,
} from './translate.ts';

/** Why a request got no decision. Envoy answers it with 500. */
export interface EnvoyFault {
  readonly message: string;
  readonly cause?: unknown;
}

/** Options of {@link createEnvoyService}. */
export interface EnvoyServiceOptions {
  /** Where an address is. */
  readonly locate?: (address: string) => GeoFacts | undefined;
  /** Called for each stream that is ended with an error. */
  readonly onFault?: (fault: EnvoyFault) => void;
}

const PROCESS = '/envoy.service.ext_proc.v3.ExternalProcessor/Process';
const CHECK = '/envoy.service.auth.v3.Authorization/Check';

/** The server that Envoy's filter for external processing asks. */
export interface EnvoyService {
  readonly server: Http2Server;
  /** Lets exchanges that have begun come to their end, for at most this many milliseconds, and accepts no others. */
  stop(limit: number): Promise<void>;
}

/**
 * Returns the service for the filter that `envoyConfiguration` describes. Whatever goes wrong ends the stream with an error, which Envoy answers
 * with 500: a stream that ended without one would let the request pass.
 * @param enforcer called for each request, so that a policy can be replaced
 */
export function createEnvoyService(enforcer: () => Enforcer, options: EnvoyServiceOptions = {}): EnvoyService {
  // Envoy resets each stream when its request ends. Node takes many resets for an attack and closes the connection, unless it is told otherwise.
  const server = createServer({ streamResetBurst: 1e9, streamResetRate: 1e9 });
  const sessions = new Set<ServerHttp2Session>();
  const configured = attributeReader();
  server.on('session', session => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    const path = headers[':path'];
    if (path === PROCESS) answerMessages(stream, new ProcessedRequest(configured(headers), enforcer, options), options);
    else if (path === CHECK)
      answerMessages(stream, new CheckedConnection(configured(headers), enforcer, options), options);
    else refuse(stream);
  });
  // A client that breaks the connection ends the streams on it.
  server.on('sessionError', () => {});
  return { server, stop: limit => stop(server, sessions, limit) };
}

async function stop(server: Http2Server, sessions: ReadonlySet<ServerHttp2Session>, limit: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  for (const session of sessions) session.close();
  const timer = setTimeout(() => {
    for (const session of sessions) session.destroy();
  }, limit);
  await closed;
  clearTimeout(timer);
}

/** Says that there is no such method (status 12 of gRPC). */
function refuse(stream: ServerHttp2Stream): void {
  stream.on('error', () => {});
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' }, { endStream: true });
}

/** What a stream is about. */
interface Answering {
  /** Returns the answer to a message; undefined if it has none. What it throws ends the stream with an error. Called again only when it has answered. */
  read(message: Buffer): Uint8Array | undefined | Promise<Uint8Array>;
}

/** Answers the messages of a stream until Envoy has heard enough. */
function answerMessages(stream: ServerHttp2Stream, answering: Answering, { onFault }: EnvoyServiceOptions): void {
  const reader = new MessageReader();
  const fail = (cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    onFault?.({ message, cause });
    // Resets it with INTERNAL_ERROR. `close` would first end the stream as if all were well, and Envoy would let the request pass.
    stream.destroy(new Error(message));
  };
  // Node keeps a closed stream, and all that its listeners reach, until the next collection of old objects.
  let open: Answering | undefined = answering;
  // What waits for an answer that takes time: later messages, and the end.
  let waiting: Promise<unknown> | undefined;
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', sendTrailers).on('error', ignore).on('aborted', destroyReset);
  stream.on('close', () => {
    open = undefined;
  });
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.read(chunk)) {
        const answer = waiting === undefined ? open?.read(message) : waiting.then(() => open?.read(message));
        if (answer instanceof Promise) waiting = answer.then(later => send(stream, later)).catch(fail);
        else send(stream, answer);
      }
    } catch (error) {
      fail(error);
    }
  });
  stream.on('end', () => {
    if (reader.isWithin) fail(new Error('the stream ended within a message'));
    else if (waiting === undefined) end(stream);
    else void waiting.then(() => end(stream));
  });
}

function send(stream: ServerHttp2Stream, answer: Uint8Array | undefined): void {
  if (answer !== undefined && !stream.destroyed) stream.write(framed(answer));
}

function end(stream: ServerHttp2Stream): void {
  if (!stream.closed && !stream.destroyed) stream.end();
}

function sendTrailers(this: ServerHttp2Stream): void {
  this.sendTrailers({ 'grpc-status': '0' });
}

function ignore(): void {}

/** Envoy resets each stream when its request is over. Node would create an error with a stack trace for it. */
function destroyReset(this: ServerHttp2Stream): void {
  this.destroy(RESET);
}

const RESET = new Error('Envoy has reset the stream');

/** One request of a client of Envoy: its headers, and those of the response to it. */
class ProcessedRequest implements Answering {
  readonly #enforcer: () => Enforcer;
  readonly #options: EnvoyServiceOptions;
  readonly #configured: ReadonlySet<string>;
  #exchange: EnforcedExchange | undefined;

  constructor(configured: ReadonlySet<string>, enforcer: () => Enforcer, options: EnvoyServiceOptions) {
    this.#enforcer = enforcer;
    this.#options = options;
    this.#configured = configured;
  }

  read(message: Buffer): Uint8Array | undefined | Promise<Uint8Array> {
    const answer = this.#process(fromBinary(ProcessingRequestSchema, message));
    return answer instanceof Promise ? answer.then(bytesOf) : answer && bytesOf(answer);
  }

  #process({ request, attributes }: ProcessingRequest): ProcessingResponse | undefined | Promise<ProcessingResponse> {
    if (request.case === 'requestHeaders' && this.#exchange === undefined)
      return this.#takeRequest(request.value.headers, attributes);
    if (request.case !== 'responseHeaders')
      throw new Error('expected the headers of a request or of a response, as `envoyConfiguration` asks for them');
    // The response to a request that was answered here is Envoy's own, with nothing to decide.
    if (this.#exchange === undefined) return undefined;
    const response = liveResponse(request.value.headers);
    return responseMessage(this.#exchange.respond(response), response.status);
  }

  #takeRequest(...[headers, attributes]: RequestParts): ProcessingResponse | Promise<ProcessingResponse> {
    const live = liveRequest(headers, attributes, this.#configured, this.#options.locate);
    if ('fault' in live) {
      const fields = [{ name: 'content-type', value: 'text/plain' }];
      return answerMessage({ status: 400, fields, body: `${live.fault}\n` });
    }
    const enforcer = this.#enforcer();
    const { exchange } = live;
    return enforcer.tokens?.isNeeded(exchange) === true
      ? enforcer.tokens.validated(exchange).then(ready => this.#decideRequest(enforcer, ready))
      : this.#decideRequest(enforcer, exchange);
  }

  #decideRequest(enforcer: Enforcer, live: Exchange): ProcessingResponse {
    const exchange = enforcer.begin(live);
    const { request } = exchange;
    if (request.kind === 'respond') return responseMessage(request.response, undefined);
    this.#exchange = exchange;
    return forwardedMessage(request.request);
  }
}

function bytesOf(answer: ProcessingResponse): Uint8Array {
  return toBinary(ProcessingResponseSchema, answer);
}

type RequestParts = readonly [headers: Parameters<typeof liveRequest>[0], attributes: ProcessingRequest['attributes']];

/** One connection of a client to Envoy. */
class CheckedConnection implements Answering {
  readonly #enforcer: () => Enforcer;
  readonly #options: EnvoyServiceOptions;
  readonly #seesNames: boolean;

  constructor(configured: ReadonlySet<string>, enforcer: () => Enforcer, options: EnvoyServiceOptions) {
    this.#enforcer = enforcer;
    this.#options = options;
    this.#seesNames = configured.has(SERVER_NAME);
  }

  read(message: Buffer): Uint8Array {
    const { attributes } = fromBinary(CheckRequestSchema, message);
    if (attributes === undefined) throw new Error('expected what the connection is');
    const exchange = this.#enforcer().begin(liveConnection(attributes, this.#seesNames, this.#options.locate));
    const isAllowed = exchange.request.kind === 'forward';
    if (isAllowed) exchange.pass();
    return toBinary(CheckResponseSchema, checkMessage(isAllowed));
  }
}

/** Returns a function that reads the names of attributes that Envoy was configured to send; most calls name the same. */
function attributeReader(): (headers: IncomingHttpHeaders) => ReadonlySet<string> {
  let [read, names]: [string, ReadonlySet<string>] = ['', new Set()];
  return headers => {
    const text = [headers[ATTRIBUTES_HEADER] ?? []].flat().join(',');
    if (text !== read) [read, names] = [text, new Set(text.split(',').filter(name => name !== ''))];
    return names;
  };
}

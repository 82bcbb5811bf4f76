// The service that Envoy asks about each request (envoy.service.ext_proc.v3.ExternalProcessor).

import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { GeoFacts } from '@tollgate/traffic';
import type { EnforcedExchange, Enforcer } from '../enforcer.ts';
import { ATTRIBUTES_HEADER } from './configuration.ts';
import { framed, MessageReader } from './grpc.ts';
import {
  type ProcessingRequest,
  ProcessingRequestSchema,
  type ProcessingResponse,
  ProcessingResponseSchema,
} from './messages.ts';
import { answerMessage, forwardedMessage, liveRequest, liveResponse, responseMessage } from './translate.ts';

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

const METHOD = '/envoy.service.ext_proc.v3.ExternalProcessor/Process';

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
  server.on('session', session => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    if (headers[':path'] !== METHOD) refuse(stream);
    else new ProcessedStream(stream, headers, enforcer, options).start();
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

/** One request of a client of Envoy: its headers, and those of the response to it. */
class ProcessedStream {
  readonly #stream: ServerHttp2Stream;
  readonly #enforcer: () => Enforcer;
  readonly #options: EnvoyServiceOptions;
  readonly #configured: ReadonlySet<string>;
  readonly #reader = new MessageReader();
  #exchange: EnforcedExchange | undefined;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    enforcer: () => Enforcer,
    options: EnvoyServiceOptions,
  ) {
    this.#stream = stream;
    this.#enforcer = enforcer;
    this.#options = options;
    const names = [headers[ATTRIBUTES_HEADER] ?? []].flat().join(',');
    this.#configured = new Set(names.split(',').filter(name => name !== ''));
  }

  start(): void {
    const stream = this.#stream;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    // Envoy resets the stream when the request is over.
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => {
      try {
        for (const message of this.#reader.read(chunk)) this.#process(fromBinary(ProcessingRequestSchema, message));
      } catch (error) {
        this.#fail({ message: error instanceof Error ? error.message : String(error), cause: error });
      }
    });
    stream.on('end', () => {
      if (this.#reader.isWithin) this.#fail({ message: 'the stream ended within a message' });
      else if (!stream.closed) stream.end();
    });
  }

  #process({ request, attributes }: ProcessingRequest): void {
    if (request.case === 'requestHeaders' && this.#exchange === undefined) {
      this.#send(this.#decideRequest(request.value.headers, attributes));
    } else if (request.case === 'responseHeaders' && this.#exchange !== undefined) {
      const response = liveResponse(request.value.headers);
      this.#send(responseMessage(this.#exchange.respond(response), response.status));
    } else if (request.case !== 'responseHeaders') {
      throw new Error('expected the headers of a request or of a response, as `envoyConfiguration` asks for them');
    }
    // The response to a request that was answered here: Envoy's own, with nothing to decide.
  }

  #decideRequest(...[headers, attributes]: RequestParts): ProcessingResponse {
    const live = liveRequest(headers, attributes, this.#configured, this.#options.locate);
    if ('fault' in live)
      return answerMessage({
        status: 400,
        fields: [{ name: 'content-type', value: 'text/plain' }],
        body: `${live.fault}\n`,
      });
    const exchange = this.#enforcer().begin(live.exchange);
    const { request } = exchange;
    if (request.kind === 'respond') return responseMessage(request.response, undefined);
    this.#exchange = exchange;
    return forwardedMessage(request.request);
  }

  #send(message: ProcessingResponse): void {
    if (!this.#stream.destroyed) this.#stream.write(framed(toBinary(ProcessingResponseSchema, message)));
  }

  #fail(fault: EnvoyFault): void {
    this.#options.onFault?.(fault);
    // Resets it with INTERNAL_ERROR. `close` would first end the stream as if all were well, and Envoy would let the request pass.
    this.#stream.destroy(new Error(fault.message));
  }
}

type RequestParts = readonly [headers: Parameters<typeof liveRequest>[0], attributes: ProcessingRequest['attributes']];

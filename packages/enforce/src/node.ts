/** Policies in front of servers on Node's `http`: Express, Fastify, and plain handlers. */
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import {
  type Exchange,
  exchangeOf,
  type GeoFacts,
  type HeaderField,
  headerText,
  NO_HEADER_KNOWN,
  type RequestConnection,
  type ResponseFacts,
  TLS_UNKNOWN,
  type TlsFacts,
} from '@tollgate/traffic';
import { joined, MAX_BODY, needsBody, sentBody } from './bodies.ts';
import type { EnforcedExchange, Enforcer } from './enforcer.ts';
import { DECIDED_WITH_BODIES, type Host } from './host.ts';
import type { Answer, HeaderChanges, SentResponse } from './wire.ts';

/** A server on Node's `http`. It knows the connection, both messages without their bodies, and no location of clients. */
export const NODE_HOST: Host = {
  name: 'a server on Node',
  fields: new Set([
    ...(['time', 'client_ip', 'client_port', 'server_ip', 'server_port', 'method', 'url', 'scheme', 'host'] as const),
    ...(['target', 'protocol', 'tls_version', 'tls_cipher', 'server_name', 'alpn'] as const),
    ...(['request_headers', 'status', 'response_headers'] as const),
  ]),
  actions: DECIDED_WITH_BODIES,
  closesConnections: true,
  maxStatus: 999,
};

/** What a proxy in front of the server knows better than the connection to it. */
export interface ClientFacts extends RequestConnection {
  readonly geo?: GeoFacts;
}

/** Options of {@link nodeMiddleware}. */
export interface MiddlewareOptions {
  /** Where the client is, behind a proxy: for example from a header that only the proxy can set. By default, the connection says it. */
  readonly client?: (request: IncomingMessage) => ClientFacts;
  /** Returns what answers for an internal endpoint, by its URL; undefined for one that does not exist, which is answered with 502. */
  readonly internal?: (url: string) => ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** The size of the largest body that `verify-webhook` reads, in bytes; {@link MAX_BODY} by default. */
  readonly maxBody?: number;
}

/** Middleware: calls `next` unless the policy answers. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Returns middleware that enforces a policy. It changes the request before `next` is called, and the response when it is sent. It belongs before
 * routing: a route that was chosen before a rewrite stays chosen.
 * @param enforcer called for each request, so that a policy can be replaced while the server runs
 */
export function nodeMiddleware(
  enforcer: () => Enforcer,
  { client, internal, maxBody = MAX_BODY }: MiddlewareOptions = {},
): Middleware {
  return (request, response, next) => {
    const live = liveExchange(request, client?.(request));
    const fault = hostFault(request, live);
    if (fault !== undefined) {
      answer(response, { status: 400, fields: TEXT, body: `${fault}\n` });
      return;
    }
    const current = enforcer();
    const decide = (own: Exchange) => {
      const exchange = current.begin(own);
      const { request: step } = exchange;
      if (step.kind === 'respond') {
        respond(response, step.response);
        return;
      }
      if (step.request.target !== undefined) request.url = bytesOf(step.request.target);
      changeRequest(request, step.request.headers);
      watchResponse(response, exchange);
      if (step.to === undefined) next();
      else (internal?.(step.to) ?? badGateway)(request, response);
    };
    const proceed = (own: Exchange) => {
      if (needsBody(current, own)) readBody(request, maxBody, requestBody => decide({ ...own, requestBody }));
      else decide(own);
    };
    if (current.tokens?.isNeeded(live) !== true) proceed(live);
    // Nobody waits for a decision if the client has gone away meanwhile.
    else void current.tokens.validated(live).then(own => !response.destroyed && proceed(own));
  };
}

/**
 * Reads the body of a request and puts it back, so that the application can read it. Nothing is called if the client goes away meanwhile.
 * @param done called with undefined if the body is larger, or someone else has read of it
 */
function readBody(request: IncomingMessage, max: number, done: (body: Uint8Array | undefined) => void): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  // Only HTTP/1 says beforehand whether there is a body.
  const isOther = request.readableDidRead || request.readableEncoding !== null || request.httpVersionMajor > 1;
  const isEmpty = Number(length ?? 0) === 0 && coding === undefined;
  if (isOther || isEmpty || Number(length ?? 0) > max) {
    done(isEmpty && !isOther ? new Uint8Array(0) : undefined);
    return;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const finish = (isWhole: boolean) => {
    request.off('readable', read).off('end', atEnd);
    const body = joined(chunks);
    // Before the end was announced, which it is only when nothing is left to read.
    if (size > 0) request.unshift(body);
    done(isWhole ? body : undefined);
  };
  const atEnd = () => finish(true);
  const read = () => {
    while (request.readableLength > 0) {
      const chunk: Uint8Array = request.read();
      chunks.push(chunk);
      size += chunk.length;
      if (size > max) return finish(false);
    }
    if (request.complete || size === Number(length)) finish(true);
  };
  request.on('readable', read).on('end', atEnd);
}

/** Answers for an internal endpoint that does not exist. */
function badGateway(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(502, { 'content-type': 'text/plain' }).end('no such internal endpoint\n');
}

/** Returns why nobody can say which host a request is for, if so. */
function hostFault(request: IncomingMessage, live: Exchange): string | undefined {
  // Which of them counts is not defined (RFC 9112, section 3.2), and without one there is no URL.
  if (countOf('host', request.rawHeaders) > 1) return 'more than one Host header';
  if (live.url === undefined) return 'no valid host';
  if (request.url?.startsWith('/')) return undefined;
  // The target counts for the policy, and the header for most applications.
  const { host } = request.headers;
  return host !== undefined && hostOf(live) !== host ? 'the target names another host than the Host header' : undefined;
}

function hostOf({ requestHeaders }: Exchange): string | undefined {
  return requestHeaders.fields.find(({ name }) => name.length === 4 && name.toLowerCase() === 'host')?.value;
}

/** Returns how often a header was sent. */
function countOf(lowerCase: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === lowerCase.length && name.toLowerCase() === lowerCase) count++;
  }
  return count;
}

const TEXT: Answer['fields'] = [{ name: 'content-type', value: 'text/plain' }];

/** Returns the exchange of a request that has just arrived. */
export function liveExchange(request: IncomingMessage, client: ClientFacts = {}): Exchange {
  const { socket } = request;
  const { method, url = '/', httpVersion, rawHeaders } = request;
  const exchange = exchangeOf({ method, url, httpVersion, rawHeaders, socket }, client);
  const scheme = client.scheme ?? (socket instanceof TLSSocket ? 'https' : 'http');
  const { remotePort: clientPort, localAddress: serverIp, localPort: serverPort } = socket;
  return {
    ...exchange,
    time: Date.now(),
    scheme,
    // The connection is the proxy's, if there is one.
    connection: client.clientIp === undefined ? { clientPort, serverIp, serverPort } : { serverIp, serverPort },
    tls: client.scheme === undefined ? tlsFacts(socket) : TLS_UNKNOWN,
    ...(client.geo && { geo: client.geo }),
  };
}

const NO_TLS: TlsFacts = { version: '', cipherSuite: '', serverName: '' };

function tlsFacts(socket: IncomingMessage['socket']): TlsFacts {
  if (!(socket instanceof TLSSocket)) return NO_TLS;
  const { servername } = socket as TLSSocket & { readonly servername?: string | false };
  const subject = socket.getPeerCertificate()?.subject as { readonly CN?: string | readonly string[] } | undefined;
  const name = subject?.CN;
  return {
    // `TLSv1.3` there, `TLS 1.3` here.
    version: socket
      .getProtocol()
      ?.replace(/^TLSv(?=\d)/, 'TLS ')
      .replace(/^TLS 1$/, 'TLS 1.0'),
    cipherSuite: socket.getCipher()?.standardName,
    serverName: typeof servername === 'string' ? servername : '',
    alpn: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : '',
    ...(typeof name === 'string' && { clientName: name }),
  };
}

/** Headers of which Node keeps the first value, as its documentation of `message.headers` lists them. */
const SINGLE: ReadonlySet<string> = new Set([
  ...['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host', 'if-modified-since'],
  ...['if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization', 'referer'],
  ...['retry-after', 'server', 'user-agent'],
]);

/** Returns what Node makes of the values of a header. */
function joinedBy(name: string, values: readonly string[]): string {
  return SINGLE.has(name) ? values[0]! : values.join(name === 'cookie' ? '; ' : ', ');
}

function changeRequest(request: IncomingMessage, changes: HeaderChanges): void {
  if (changes.size === 0) return;
  const { rawHeaders } = request;
  const raw: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (changes.get(rawHeaders[at]!.toLowerCase())?.keeps !== false) raw.push(rawHeaders[at]!, rawHeaders[at + 1]!);
  for (const [name, { added }] of changes) for (const value of added) raw.push(name, bytesOf(value));
  request.rawHeaders = raw;
  CHANGED.set(request, [...(CHANGED.get(request) ?? []), ...changes.keys()]);
  Object.defineProperties(request, HEADERS);
}

/** Headers that policies changed, for when somebody reads them: Node parses these when they are read, which many applications do not do. */
const CHANGED = new WeakMap<IncomingMessage, readonly string[]>();

/** Properties that replace those of a request which parse its headers. */
const HEADERS: PropertyDescriptorMap = {
  headers: parsedLate('headers', joinedBy),
  headersDistinct: parsedLate('headersDistinct', (_, values) => values),
};

type ParseValues = (name: string, values: string[]) => string | string[];

function parsedLate(property: 'headers' | 'headersDistinct', parse: ParseValues): PropertyDescriptor {
  const plain = { configurable: true, enumerable: true, writable: true } as const;
  return {
    configurable: true,
    enumerable: true,
    get(this: IncomingMessage) {
      // What another middleware has read and changed before stays.
      const parsed: Record<string, unknown> = Reflect.get(Object.getPrototypeOf(this), property, this);
      for (const name of CHANGED.get(this) ?? []) {
        const values = valuesIn(this.rawHeaders, name);
        delete parsed[name];
        if (values.length > 0) parsed[name] = parse(name, values);
      }
      Object.defineProperty(this, property, { ...plain, value: parsed });
      return parsed;
    },
    set(this: IncomingMessage, value: unknown) {
      Object.defineProperty(this, property, { ...plain, value });
    },
  };
}

function valuesIn(rawHeaders: readonly string[], lowerCase: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === lowerCase);
}

/** Returns text as Node writes it byte by byte. */
function bytesOf(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

const ASCII = /^[\0-\x7f]*$/;

/** Sends what the edge answers. */
function respond(response: ServerResponse, sent: SentResponse): void {
  if (sent.kind === 'closed') response.destroy();
  else if (sent.kind === 'answer') answer(response, sent.answer);
  else response.writeHead(sent.status).end();
}

function answer(response: ServerResponse, made: Answer): void {
  const { status, fields } = made;
  const body = sentBody(made);
  const headers = fields.filter(({ name }) => !FRAMING.has(name.toLowerCase()));
  const length = Buffer.byteLength(body);
  const own = mayHaveBody(status) ? ['Content-Length', String(length)] : [];
  // What the application or its framework has set belongs to another response.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(status, [...headers.flatMap(({ name, value }) => [name, bytesOf(value)]), ...own]);
  response.end(headers.every(({ value }) => ASCII.test(value)) ? body : Buffer.from(body));
}

/** The server knows how long its answer is. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

function mayHaveBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}

type Head = readonly [status: number, ...rest: readonly unknown[]];

/** Lets the policy decide on the response as soon as its headers are complete. */
function watchResponse(response: ServerResponse, exchange: EnforcedExchange): void {
  const { writeHead, write, end, flushHeaders } = response;
  let isDecided = false;
  let isReplaced = false;
  let isAscii = true;
  const decide = () => {
    if (isDecided || response.headersSent) return;
    isDecided = true;
    const sent = exchange.respond(responseFacts(response));
    if (sent.kind === 'passed') {
      response.statusCode = sent.status;
      isAscii = [...sent.headers.values()].every(({ added }) => added.every(value => ASCII.test(value)));
      changeResponse(response, sent.headers);
      return;
    }
    isReplaced = true;
    Object.assign(response, { writeHead, write, end, flushHeaders });
    respond(response, sent);
    const swallow = () => true;
    Object.assign(response, { write: swallow, end: () => response, writeHead: () => response, flushHeaders: swallow });
  };
  Object.assign(response, {
    writeHead: (...[status, ...rest]: Head) => {
      // Informational responses precede the one that is decided on.
      if (status < 200) return Reflect.apply(writeHead, response, [status, ...rest]);
      const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
      takeHead(response, status, (reason === undefined ? (rest[0] ?? rest[1]) : rest[1]) as WrittenHeaders);
      decide();
      if (isReplaced) return response;
      return Reflect.apply(writeHead, response, [response.statusCode, ...(reason === undefined ? [] : [reason])]);
    },
    write: (...rest: unknown[]) => {
      decide();
      return isReplaced ? true : Reflect.apply(write, response, isAscii ? rest : asBytes(rest));
    },
    end: (...rest: unknown[]) => {
      decide();
      return isReplaced ? response : Reflect.apply(end, response, isAscii ? rest : asBytes(rest));
    },
    flushHeaders: () => {
      decide();
      if (!isReplaced) Reflect.apply(flushHeaders, response, []);
    },
  });
}

/**
 * Node writes headers in the encoding of the text that follows them, and those of a policy are bytes. What follows as bytes takes a second write, so
 * this is only for headers that are not ASCII.
 */
function asBytes([chunk, encoding, ...rest]: readonly unknown[]): readonly unknown[] {
  if (typeof chunk !== 'string') return [chunk, encoding, ...rest];
  const isNamed = typeof encoding === 'string';
  return [
    Buffer.from(chunk, isNamed ? (encoding as BufferEncoding) : 'utf8'),
    ...(isNamed ? rest : [encoding, ...rest]),
  ];
}

type WrittenHeaders = OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | undefined;

/** Sets what `writeHead` was called with, so that the policy can read and change it. */
function takeHead(response: ServerResponse, status: number, headers: WrittenHeaders): void {
  response.statusCode = status;
  if (headers === undefined || headers === null) return;
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders))
      if (value !== undefined) response.setHeader(name, value);
    return;
  }
  const values = new Map<string, string[]>();
  const pairs = headers.every(Array.isArray) ? headers.flat() : headers;
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = String(pairs[at]);
    const value = pairs[at + 1];
    const known = values.get(name.toLowerCase()) ?? [];
    values.set(name.toLowerCase(), known);
    known.push(...(Array.isArray(value) ? value.map(String) : [String(value)]));
    response.setHeader(name, known);
  }
}

function responseFacts(response: ServerResponse): ResponseFacts {
  const fields: HeaderField[] = [];
  for (const name of response.getHeaderNames()) {
    const value = response.getHeader(name);
    if (Array.isArray(value)) for (const one of value) fields.push({ name, value: headerText(one) });
    else if (value !== undefined) fields.push({ name, value: headerText(String(value)) });
  }
  return { status: response.statusCode, headers: { ...NO_HEADER_KNOWN, fields, complete: true }, bodySize: undefined };
}

function changeResponse(response: ServerResponse, changes: HeaderChanges): void {
  for (const [name, { keeps, added }] of changes) {
    const before = keeps ? [response.getHeader(name) ?? []].flat().map(String) : [];
    const values = [...before, ...added.map(bytesOf)];
    if (values.length === 0) response.removeHeader(name);
    else response.setHeader(name, values.length === 1 ? values[0]! : values);
  }
}

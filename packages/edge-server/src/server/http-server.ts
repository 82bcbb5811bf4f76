// The HTTP server: its routes and pages, connections, cross-origin requests, and what it answers where nothing is.

import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorBody, OPERATION_IDS, OPERATIONS, type Operation, PLAIN_ERRORS } from '@tollgate/edge-api';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { refused } from '../api-error.ts';
import type { Principal } from '../security/api-keys.ts';
import type { ServerSettings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { type Admission, createAdmission, createWrongKeys, lacksKey } from './admission.ts';
import { addChanges, CHANGES_PATH } from './changes-route.ts';
import { addOperation, createBaseUrl, errorAnswer, type HttpParts, VALIDATE_PATH } from './operation-route.ts';
import { addReference } from './reference-page.ts';
import { createMetrics, type Metrics, type RequestSpan, type Telemetry } from './telemetry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after authentication. */
    principal: Principal | null;
    /** The operation for logs and metrics, or `none`. */
    operation: string;
    /** The span of the request; null before it begins. */
    span: RequestSpan | null;
  }
}

/** The HTTP server, not yet listening. */
export interface HttpServer {
  readonly app: FastifyInstance;
  readonly metrics: Metrics;
  readonly connections: Connections;
  readonly admission: Admission;
}

/** Creates the HTTP server with a route for every operation. */
export function createHttpServer(parts: HttpParts): HttpServer {
  const { settings, store, now } = parts;
  const app = createApp(parts);
  const connections = trackConnections(app);
  const admission = createAdmission(settings, now);
  const metrics = createMetrics(store, admission.inFlight, parts.version);
  app.decorateRequest('principal', null);
  app.decorateRequest('operation', 'none');
  app.decorateRequest('span', null);
  addSpans(app, parts.telemetry);
  app.addHook('onResponse', (request, reply, done) => {
    metrics.countRequest(request.operation, reply.statusCode, reply.elapsedTime / 1000);
    endSpan(request, reply);
    if (app.log.level === 'info' || app.log.level === 'debug') logRequest(request, reply);
    done();
  });
  readTextBodies(app);
  const allowed = allowedMethods(settings.basePath);
  answerErrors(app, settings, allowed);
  addServicePages(app, { ...parts, metrics });
  addReference(app, settings);
  if (settings.corsOrigins.length > 0) addCors(app, settings);
  const baseUrl = createBaseUrl(settings);
  const wrongKeys = createWrongKeys(!settings.development, now);
  const route = { ...parts, admission, wrongKeys, baseUrl };
  for (const id of OPERATION_IDS) addOperation(app, id, route);
  addChanges(app, route);
  return { app, metrics, connections, admission };
}

/** Starts the span of each request before anything else. */
function addSpans(app: FastifyInstance, { startRequest }: Telemetry): void {
  app.addHook('onRequest', (request, _, done) => {
    request.span = startRequest(request.method, request.headers);
    done();
  });
}

function endSpan({ span, id, operation, routeOptions, principal }: FastifyRequest, reply: FastifyReply): void {
  span?.end({
    id,
    operation,
    route: routeOptions.url?.replace(/:(\w+)/g, '{$1}'),
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
    key: principal?.keyId,
  });
}

function createApp({ settings, certificate, newKsuid, log }: HttpParts): FastifyInstance {
  const options = {
    logger: { level: settings.logLevel, stream: { write: log }, base: null },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `op_${newKsuid()}`,
    requestIdHeader: false,
    // A child logger per request costs 3 µs and is not needed, because every line has the request's id.
    childLoggerFactory: logger => logger,
    bodyLimit: settings.maxBodyBytes,
    requestTimeout: settings.requestTimeout * 1000,
    connectionTimeout: settings.requestTimeout * 1000,
    // The contract requires its own parsing of queries.
    routerOptions: { ignoreDuplicateSlashes: true, querystringParser: () => ({}) },
    exposeHeadRoutes: true,
    // A request on a connection that is still open gets a proper response, after which the connection is closed.
    return503OnClosing: false,
    trustProxy: settings.trustProxy,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_, request, reply) => answerNoRoute(request, reply, () => []),
  } satisfies FastifyServerOptions;
  return certificate === undefined
    ? fastify(options)
    : (fastify({ ...options, https: certificate }) as FastifyInstance);
}

/** Keeps bodies as strings, so that faults can be reported with their position. */
function readTextBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (isUtf8(bytes)) done(null, bytes.toString('utf8'));
    else done(refused(212, { value: 'it is not UTF-8' }));
  });
}

function answerErrors(
  app: FastifyInstance,
  { errorPrefix, operationIdHeader, maxBodyBytes }: ServerSettings,
  allowed: AllowedMethods,
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The framework checks the content type even if there is no route.
    if (request.is404) return answerNoRoute(request, reply, allowed);
    // A client that disconnects while sending is not a server fault.
    const cause = request.raw.errored === error ? refused(212, { value: 'it ended early' }) : error;
    const answer = errorAnswer(cause, { operationId: request.id, prefix: errorPrefix, maxBodyBytes });
    if (answer.isServerFault) request.log.error({ op: request.id, ...request.span?.ids, err: error }, 'request failed');
    if (lacksKey(error)) reply.header('www-authenticate', 'Bearer');
    if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
    reply
      .code(answer.status)
      .header(operationIdHeader, request.id)
      .type('application/json')
      .send(JSON.stringify(answer.body));
  });
  app.setNotFoundHandler((request, reply) => answerNoRoute(request, reply, allowed));
}

/** The most characters of an unknown path that a response repeats. */
const LONGEST_PATH = 500;

/** Responds to unknown paths and wrong methods before all other checks, without an operation id (part B, section 1.1). */
function answerNoRoute(request: FastifyRequest, reply: FastifyReply, allowed: AllowedMethods): void {
  const [path = '/'] = request.url.split('?');
  const methods = allowed(path);
  const { status, message } = PLAIN_ERRORS[methods.length > 0 ? 'wrong-method' : 'no-route'];
  if (methods.length > 0) reply.header('allow', methods.join(', '));
  const body = { status_code: status, msg: message, details: { path: path.slice(0, LONGEST_PATH) } };
  reply.code(status).type('application/json').send(JSON.stringify(body));
}

/** Logs a request without headers and bodies, which may contain secrets. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, operation, principal, span, ip } = request;
  const [path] = request.url.split('?');
  const time = Math.round(reply.elapsedTime * 100) / 100;
  const key = principal?.keyId ?? null;
  request.log.info(
    { op: id, method, path, operation, status: reply.statusCode, ms: time, key, address: ip || null, ...span?.ids },
    'request',
  );
}

/** Returns the methods of the operations at a path without its query; empty if nothing is there. */
type AllowedMethods = (path: string) => readonly string[];

interface Template {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

/** Pages next to the API. */
const PAGES = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', CHANGES_PATH];

/** Creates the lookup of methods, which runs only for requests without a route. */
function allowedMethods(basePath: string): AllowedMethods {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const templates = [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, group]): readonly Template[] => {
    const verbs = group.map(({ verb }) => verb);
    const writing = verbs.filter(verb => verb !== 'GET');
    return [
      { segments: segmentsOf(`${basePath}${path}`), methods: withHead(verbs) },
      ...(writing.length > 0 ? [{ segments: segmentsOf(`${VALIDATE_PATH}${basePath}${path}`), methods: writing }] : []),
    ];
  });
  const pages = PAGES.map((path): Template => ({ segments: segmentsOf(path), methods: withHead(['GET']) }));
  const all = [...templates, ...pages];
  return path => {
    const given = segmentsOf(path);
    return all.find(({ segments }) => matches(segments, given))?.methods ?? [];
  };
}

/** HEAD works where GET does (RFC 9110, section 9.1). */
function withHead(verbs: readonly string[]): readonly string[] {
  return verbs.flatMap(verb => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]));
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/+/g, '/').split('/').slice(1);
}

function matches(template: readonly string[], path: readonly string[]): boolean {
  if (template.length !== path.length) return false;
  return template.every((segment, index) => segment.startsWith('{') || segment === path[index]);
}

/** The dependencies of the service pages. */
interface PageParts {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly now: () => number;
  readonly isReplaced: () => boolean;
}

/** Milliseconds for which the result of a readiness check holds, because it writes and needs no key. */
const READY_FOR = 1_000;

/**
 * Adds liveness and readiness checks, which some load balancers request with HEAD, and metrics. A server that cannot write is not ready, nor is one whose
 * program was replaced: what it loads later would be of another version.
 */
function addServicePages(app: FastifyInstance, { store, metrics, now, isReplaced }: PageParts): void {
  app.get('/healthz', async (_, reply) => reply.type('application/json').send('{"status":"ok"}'));
  const check = sharedCheck(store, now);
  app.get('/readyz', async (request, reply) => {
    reply.type('application/json');
    if (isReplaced()) return await reply.code(503).send('{"status":"replaced"}');
    try {
      await check();
      return await reply.send('{"status":"ready"}');
    } catch (error) {
      request.log.error({ err: error }, 'the store cannot be read or written');
      return await reply.code(503).send('{"status":"unavailable"}');
    }
  });
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.render()));
}

/** Returns a check of the store whose success is reused for a while, and which never runs twice at the same time. */
function sharedCheck(store: Pick<Store, 'check'>, now: () => number): () => Promise<void> {
  let running: Promise<void> | undefined;
  let readyUntil = Number.NEGATIVE_INFINITY;
  const run = async (): Promise<void> => {
    try {
      await store.check();
      readyUntil = now() + READY_FOR;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (now() < readyUntil) return;
    running ??= run();
    await running;
  };
}

/** Returns a function that tells whether any of the files was replaced, changed or deleted since. Files that are not there now are ignored. */
export function watchProgram(paths: readonly string[]): () => boolean {
  const before = new Map(paths.map(path => [path, markOf(path)]));
  return () => [...before].some(([path, mark]) => mark !== undefined && markOf(path) !== mark);
}

function markOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

const MAX_AGE = 600;
/** Longer lists of headers are not repeated, and thus refused by the browser. */
const LONGEST_ECHO = 1000;

type CorsSettings = Pick<ServerSettings, 'corsOrigins' | 'basePath' | 'operationIdHeader'>;

/** Allows pages of the configured origins to call the API from a browser (part B, section 1.1). */
function addCors(app: FastifyInstance, settings: CorsSettings): void {
  const { corsOrigins, basePath, operationIdHeader } = settings;
  const isOpen = corsOrigins.includes('*');
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    // The answer depends on the origin even where there is none.
    reply.header('vary', 'Origin');
    const isNamed = origin !== undefined && corsOrigins.includes(origin);
    if (origin === undefined || !(isNamed || isOpen)) return;
    reply.header('access-control-allow-origin', isNamed ? origin : '*');
    // Only named origins are trusted with the credentials of the browser.
    if (isNamed) reply.header('access-control-allow-credentials', 'true');
    reply.header(
      'access-control-expose-headers',
      `${operationIdHeader}, ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After`,
    );
  });
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const methods = group.map(({ verb }) => verb).join(', ');
    app.options(`${basePath}${path.replace(/\{(\w+)\}/g, ':$1')}`, async (request, reply) =>
      answerPreflight(request, reply, methods),
    );
  }
}

/** Answers a preflight request; there is no other use of OPTIONS. */
function answerPreflight(request: FastifyRequest, reply: FastifyReply, methods: string): FastifyReply {
  const {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': headers,
  } = request.headers;
  if (origin === undefined || method === undefined) {
    reply.callNotFound();
    return reply;
  }
  if (headers !== undefined && headers.length <= LONGEST_ECHO) reply.header('access-control-allow-headers', headers);
  return reply
    .header('access-control-allow-methods', methods)
    .header('access-control-max-age', MAX_AGE)
    .code(204)
    .send();
}

/** The connections of a server. */
interface Connections {
  /** Closes unused connections now, and every other one after the response that it waits for. Call it before `app.close()`. */
  readonly release: () => void;
}

/**
 * Tracks connections so that a server can stop without waiting for its clients. `app.close()` alone closes connections that are idle at that moment. It
 * waits for those that never carried a request, and for those whose client keeps them open after the response.
 */
function trackConnections(app: FastifyInstance): Connections {
  const sockets = new Set<Socket>();
  let isStopping = false;
  app.server.on('connection', (socket: Socket) => {
    if (isStopping) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('onSend', (_, reply, _body, done) => {
    if (isStopping) reply.header('connection', 'close');
    done();
  });
  // The headers of this response may have been sent before the server began to stop.
  app.addHook('onResponse', (request, _, done) => {
    if (isStopping) request.raw.socket.destroySoon();
    done();
  });
  return {
    release: () => {
      isStopping = true;
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/**
 * Responds to invalid HTTP with the error body that clients expect (part B, section 2.4). Without a request, there is no operation id.
 */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = CLIENT_ERRORS[error.code ?? ''] ?? NOT_HTTP;
  const body: ErrorBody = { status_code: status, msg: message, details: {} };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  // Destroy the socket after writing: a client that never closes would keep its half of the connection open.
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

interface ClientError {
  readonly status: number;
  readonly message: string;
}

const NOT_HTTP: ClientError = { status: 400, message: 'The request is not valid HTTP.' };

const CLIENT_ERRORS: Readonly<Record<string, ClientError>> = {
  HPE_HEADER_OVERFLOW: PLAIN_ERRORS['headers-too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};

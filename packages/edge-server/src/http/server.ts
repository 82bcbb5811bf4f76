import { isUtf8 } from 'node:buffer';
import { OPERATION_IDS, PLAIN_ERRORS } from '@tollgate/edge-api';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { refused } from '../api/api-error.ts';
import type { Principal } from '../security/principal.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import type { RequestSpan, Telemetry } from '../telemetry/telemetry.ts';
import { type Admission, createAdmission } from './admission.ts';
import { type AllowedMethods, allowedMethods } from './allowed-methods.ts';
import { createBaseUrl } from './base-url.ts';
import { addChanges } from './changes-route.ts';
import { answerClientError } from './client-error.ts';
import { type Connections, trackConnections } from './connections.ts';
import { addCors } from './cors.ts';
import { errorAnswer } from './error-answer.ts';
import type { HttpParts } from './http-parts.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { addOperation } from './operation-route.ts';
import { addReference } from './reference-route.ts';
import { addServicePages } from './service-pages.ts';
import { createWrongKeys, lacksKey } from './wrong-keys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after authentication. */
    principal: Principal | null;
    /** The operation for logs and metrics, or `none`. */
    operation: string;
    /** The span of the request; null if no collector is configured. */
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
  if (parts.telemetry) addSpans(app, parts.telemetry);
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

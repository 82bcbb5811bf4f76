// The route of an operation: checks of the request, its dry run, and error responses.

import type { IncomingHttpHeaders } from 'node:http';
import { ExternalError, jsonDiagnostics } from '@tollgate/diagnostics';
import {
  type ErrorBody,
  errorFact,
  faultsBody,
  type Operation,
  type OperationId,
  operationOf,
  PLAIN_ERRORS,
  WIRE,
} from '@tollgate/edge-api';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ApiError, type Refusal, refused } from '../api-error.ts';
import type { Authenticator, Principal, Scope } from '../security/api-keys.ts';
import { etagOf } from '../service/change.ts';
import type { ApiAnswer, ApiRequest } from '../service/context.ts';
import type { DryRun, Service } from '../service/service.ts';
import type { ServerSettings } from '../settings/settings.ts';
import type { KsuidSource } from '../store/ksuid.ts';
import { isStoreFailure, type Store } from '../store/store.ts';
import type { Admission, Allowance, WrongKeys } from './admission.ts';
import type { Certificate } from './listen.ts';
import type { Telemetry } from './telemetry.ts';

/** The path prefix of dry runs, outside the paths of the documented API. */
export const VALIDATE_PATH = '/_tollgate/validate';

/** The dependencies of a route. */
export interface RouteParts extends HttpParts {
  readonly admission: Admission;
  readonly wrongKeys: WrongKeys;
  readonly baseUrl: (headers: FastifyRequest['headers']) => string;
}

type OperationRequest = FastifyRequest<{ Params: Readonly<Record<string, string>> }>;

/** Adds the route of an operation and, unless it only reads, of its dry run. */
export function addOperation(app: FastifyInstance, id: OperationId, parts: RouteParts): void {
  const { settings, service, authenticator } = parts;
  const operation = operationOf(id);
  const route = {
    method: operation.verb,
    onRequest: checkRequest(id, checkOf(operation, settings), parts),
  };
  const url = `${settings.basePath}${operation.path.replace(/\{(\w+)\}/g, ':$1')}`;
  const changesKeys = operation.record === 'api_key' && operation.verb !== 'GET';
  const run = async (asked: ApiRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const answer = await service.run(asked);
    if (changesKeys) authenticator.forget();
    return send(reply, answer, parts);
  };
  app.route<{ Params: Readonly<Record<string, string>> }>({
    ...route,
    url,
    handler: (request, reply) => {
      const asked = toApiRequest(id, request, parts);
      // Synchronous, because most requests are cached reads.
      const known = operation.verb === 'GET' ? service.known(asked) : undefined;
      if (!known) return run(asked, reply);
      // Returning the reply would make the framework wait for it.
      send(reply, known, parts);
      return undefined;
    },
  });
  if (operation.verb === 'GET') return;
  app.route<{ Params: Readonly<Record<string, string>> }>({
    ...route,
    url: `${VALIDATE_PATH}${url}`,
    handler: async (request, reply) => {
      const dryRun = await service.validate(toApiRequest(id, request, parts));
      reply.header(settings.operationIdHeader, request.id).type('application/json');
      return reply.send(dryRunText(dryRun));
    },
  });
}

/** @throws ApiError unless the sender may do what is asked for */
type RequestCheck = (principal: Principal, request: FastifyRequest) => void;

/** Returns the checks of an operation that need no body, in the order of part B, section 2.5. */
function checkOf(operation: Operation, settings: ServerSettings): RequestCheck {
  const scope = scopeOf(operation);
  return (principal, { headers, params }) => {
    checkScope(principal, scope);
    checkEdge(principal, operation, params as Readonly<Record<string, string>>);
    checkVersion(headers, settings);
    checkContent(headers, operation);
  };
}

/** Returns a hook that admits and authenticates requests, and then runs the check. `name` is for logs and metrics. */
export function checkRequest(name: string, check: RequestCheck, { authenticator, admission, wrongKeys }: RouteParts) {
  const admit = (request: FastifyRequest, reply: FastifyReply, principal: Principal): void => {
    request.principal = principal;
    // The client may have gone in the meantime.
    if (reply.raw.closed) return;
    reply.raw.once('close', () => admission.release(principal));
    admission.hold(principal);
    try {
      admission.pass(principal);
    } finally {
      sendAllowance(reply, admission.left(principal));
    }
    check(principal, request);
  };
  // Synchronous if the key is cached, which is nearly always the case.
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    request.operation = name;
    reply.raw.once('close', admission.leave);
    const fail = (error: Error): void => {
      const judged = wrongKeys.judge(error, request.ip);
      if (judged instanceof Promise) judged.then(done, done);
      else done(judged);
    };
    try {
      admission.enter();
      const principal = authenticator.authenticate(request.headers.authorization);
      if (principal instanceof Promise) principal.then(found => admit(request, reply, found)).then(() => done(), fail);
      else {
        admit(request, reply, principal);
        done();
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

/** Tells clients how to pace themselves (draft-ietf-httpapi-ratelimit-headers-10). */
function sendAllowance(reply: FastifyReply, allowance: Allowance | undefined): void {
  if (!allowance) return;
  const { limit, remaining, reset } = allowance;
  reply.header('ratelimit-policy', `"key";q=${limit};w=60`).header('ratelimit', `"key";r=${remaining};t=${reset}`);
}

const NO_QUERY = new URLSearchParams();

function toApiRequest(id: OperationId, request: OperationRequest, { baseUrl }: RouteParts): ApiRequest {
  const { headers, params, body, principal, url, ip } = request;
  const mark = url.indexOf('?');
  return {
    id,
    path: params,
    query: mark < 0 ? NO_QUERY : queryOf(url.slice(mark + 1)),
    text: textOf(id, body),
    ifMatch: headers['if-match'],
    idempotencyKey: idempotencyKeyOf(headers),
    baseUrl: baseUrl(headers),
    principal: principal!,
    requestId: request.id,
    address: ip || null,
  };
}

/** Returns the body as sent. @throws ApiError for an operation that takes none, unless it is an empty object */
function textOf(id: OperationId, body: unknown): string {
  if (typeof body !== 'string') return '';
  if (operationOf(id).request !== null) return body;
  if (/^\s*(?:\{\s*\}\s*)?$/.test(body)) return '';
  throw refused(211);
}

/** @throws ApiError */
function idempotencyKeyOf({ 'idempotency-key': key }: FastifyRequest['headers']): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string' && WIRE.idempotencyKey.test(key)) return key;
  throw new ApiError({ kind: 'plain', error: 'bad-idempotency-key' });
}

/** Parses a query strictly; `URLSearchParams` alone keeps what it cannot decode. @throws ApiError */
function queryOf(text: string): URLSearchParams {
  try {
    decodeURIComponent(text);
  } catch {
    throw refused(230, { value: text.slice(0, 100) });
  }
  return new URLSearchParams(text);
}

/** The most secrets that the header names. */
const MAX_LACKING = 10;

function send(reply: FastifyReply, answer: ApiAnswer, { settings }: RouteParts): FastifyReply {
  const { status, text, revision, isReplayed, lacks = [] } = answer;
  reply.header(settings.operationIdHeader, reply.request.id);
  if (revision !== undefined) reply.header('etag', etagOf(revision));
  if (isReplayed) reply.header('idempotent-replayed', 'true');
  if (lacks.length > 0) reply.header('unreadable-secrets', lacks.slice(0, MAX_LACKING).join(', '));
  if (text === undefined && !settings.answerDeletes) return reply.code(status).send();
  return reply
    .code(text === undefined ? 200 : status)
    .type('application/json')
    .send(text ?? '{}');
}

function dryRunText({ answer, warnings }: DryRun): string {
  const { status, text } = answer;
  const diagnostics = JSON.stringify(jsonDiagnostics({ sources: [], diagnostics: warnings }));
  return `{"valid":true,"status_code":${status},"answer":${text ?? 'null'},"diagnostics":${diagnostics}}`;
}

/** Checks the version header. @throws ApiError */
function checkVersion(headers: IncomingHttpHeaders, { versionHeaders }: Pick<ServerSettings, 'versionHeaders'>): void {
  const name = versionHeaders.find(header => headers[header.toLowerCase()] !== undefined);
  if (name === undefined) throw refused(218, { expected: versionHeaders[0] ?? WIRE.versionHeader });
  const value = String(headers[name.toLowerCase()]);
  if (value !== WIRE.version) throw refused(217, { value: value.slice(0, 100) });
}

/** Checks that there is a body only if the operation may have one, and its content type. @throws ApiError */
function checkContent(headers: IncomingHttpHeaders, { request, verb }: Operation): void {
  const length = headers['content-length'];
  const hasBody = headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  if (!hasBody) {
    // Clients may declare a type without a body (part B, section 8.1), which the framework would reject.
    // Deleting the header instead would make all other headers slow to read.
    if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
    return;
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  // Clients send an empty object with a deletion, which has no parameters of its own; nothing else is read there.
  const isRead = verb === 'DELETE' && encoding.toLowerCase() === 'identity' && isJson(headers['content-type'] ?? '');
  if (request === null && !isRead) throw refused(211);
  if (encoding.toLowerCase() !== 'identity') {
    throw refused(212, { value: `it is encoded as '${encoding.slice(0, 100)}'; send it unencoded` });
  }
  const type = headers['content-type'];
  if (type === undefined) throw refused(216);
  if (!isJson(type)) throw refused(210, { value: type.slice(0, 100) });
}

function isJson(type: string): boolean {
  const [essence = '', ...parameters] = type.toLowerCase().split(';');
  const charset = parameters.map(one => one.trim()).find(one => one.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  return essence.trim() === WIRE.contentType && isUtf8;
}

/** Returns the scope that an operation requires. Only administrators may manage keys. */
function scopeOf({ verb, record, field }: Pick<Operation, 'verb' | 'record' | 'field'>): Scope {
  if (record === 'api_key') return 'admin';
  if (verb !== 'GET' && (field === 'policy' || field === 'traffic_policy')) return 'policy';
  return verb === 'GET' ? 'read' : 'write';
}

/** @throws ApiError unless the key has the scope */
export function checkScope({ scopes }: Principal, scope: Scope): void {
  if (!scopes.includes(scope)) throw refused(205, { expected: scope });
}

const IN_EDGES: ReadonlySet<string> = new Set(['https_edge', 'https_edge_route', 'tls_edge', 'tcp_edge']);

/** Checks that a key which is limited to some edges uses only these; lists show nothing else. @throws ApiError */
function checkEdge(
  { edges }: Principal,
  { record, kind }: Pick<Operation, 'record' | 'kind'>,
  path: Readonly<Record<string, string | undefined>>,
): void {
  if (!edges || (kind === 'list' && IN_EDGES.has(record))) return;
  const id = path.edge_id ?? path.id;
  if (!IN_EDGES.has(record) || id === undefined || !edges.has(id)) {
    throw new ApiError({ kind: 'plain', error: 'other-edge' });
  }
}

/** An error response. */
interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  /** The Retry-After header in seconds. */
  readonly retryAfter: number | undefined;
  /** Whether the server is at fault, so that the error must be logged. */
  readonly isServerFault: boolean;
}

/** The context of an error response. */
interface ErrorContext {
  readonly operationId: string;
  readonly prefix: string;
  readonly maxBodyBytes: number;
}

/** Seconds after which a client may retry when the store does not respond. */
const RETRY_AFTER = 1;

/** Converts anything thrown to an error response (part B, section 2.4). Server faults are not explained to the client. */
export function errorAnswer(error: unknown, context: ErrorContext): ErrorAnswer {
  if (error instanceof ApiError) {
    const body = refusalBody(error.refusal, context);
    return { status: body.status_code, body, retryAfter: error.retryAfter, isServerFault: false };
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const refusal = FRAMEWORK_ERRORS[error.code]?.(context);
    if (refusal) return { ...answerOf(refusal, context), isServerFault: false };
  }
  const isExternal = error instanceof ExternalError || isStoreFailure(error);
  const refusal = { kind: 'plain', error: isExternal ? 'unavailable' : 'internal' } as const;
  return { ...answerOf(refusal, context), ...(isExternal && { retryAfter: RETRY_AFTER }), isServerFault: true };
}

const FRAMEWORK_ERRORS: Readonly<Record<string, (context: ErrorContext) => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ maxBodyBytes }) => ({
    kind: 'plain',
    error: 'body-too-large',
    details: { limit: String(maxBodyBytes) },
  }),
};

function answerOf(refusal: Refusal, context: ErrorContext): Omit<ErrorAnswer, 'isServerFault'> {
  const body = refusalBody(refusal, context);
  return { status: body.status_code, body, retryAfter: undefined };
}

function refusalBody(refusal: Refusal, { operationId, prefix }: ErrorContext): ErrorBody {
  if (refusal.kind === 'plain') {
    const { status, message } = PLAIN_ERRORS[refusal.error];
    return { status_code: status, msg: message, details: { operation_id: operationId, ...refusal.details } };
  }
  const body = faultsBody(refusal.faults, { operationId, prefix });
  const status = errorFact(refusal.faults[0].code)?.status ?? 400;
  return { ...body, status_code: status, details: { ...body.details, ...refusal.details } };
}

// What the HTTP server depends on, and the URL under which clients know it.

/** The dependencies of the HTTP server. */
export interface HttpParts {
  readonly settings: ServerSettings;
  /** The certificate of HTTPS; undefined for HTTP. */
  readonly certificate: Certificate | undefined;
  readonly service: Service;
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly newKsuid: KsuidSource;
  readonly now: () => number;
  /** The version of the program. */
  readonly version: string;
  /** Returns true if files of the program have changed since it started. */
  readonly isReplaced: () => boolean;
  readonly telemetry: Telemetry;
  /** Writes a line of the log, as JSON. */
  readonly log: (line: string) => void;
}

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Bounds the memo, because clients can send any number of host names. */
const MAX_MEMOIZED = 1000;

/** Returns a function that determines the prefix of URIs in a response: the setting, or else the host of the request. */
export function createBaseUrl(
  settings: Pick<ServerSettings, 'publicUrl' | 'basePath' | 'trustProxy' | 'tlsCertFile'>,
): (headers: IncomingHttpHeaders) => string {
  const { publicUrl, basePath, trustProxy, tlsCertFile } = settings;
  const own = tlsCertFile === '' ? 'http' : 'https';
  if (publicUrl !== '') return () => publicUrl.replace(/\/$/, '');
  const made = new Map<string, string>();
  return headers => {
    const proto = trustProxy && firstOf(headers['x-forwarded-proto']) === 'https' ? 'https' : own;
    const host = (trustProxy ? firstOf(headers['x-forwarded-host']) : undefined) ?? headers.host ?? '';
    const key = `${proto}://${host}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    // An invalid host would result in broken URIs.
    if (!HOST.test(host)) return `${proto}://localhost${basePath}`;
    const url = `${key}${basePath}`;
    if (made.size < MAX_MEMOIZED) made.set(key, url);
    return url;
  };
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  const [first] = (typeof header === 'string' ? header : (header?.[0] ?? '')).split(',');
  return first === '' ? undefined : first?.trim();
}

import { jsonDiagnostics } from '@tollgate/diagnostics';
import { type Operation, type OperationId, operationOf, WIRE } from '@tollgate/edge-api';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ApiError, refused } from '../api/api-error.ts';
import type { Principal } from '../security/principal.ts';
import type { Allowance } from '../security/rate-limiter.ts';
import { etagOf } from '../service/operations/target.ts';
import type { ApiAnswer, ApiRequest } from '../service/records/context.ts';
import type { DryRun } from '../service/service.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import type { Admission } from './admission.ts';
import type { HttpParts } from './http-parts.ts';
import { checkContent, checkEdge, checkScope, checkVersion, scopeOf } from './request-checks.ts';
import type { WrongKeys } from './wrong-keys.ts';

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
const MOST_LACKING = 10;

function send(reply: FastifyReply, answer: ApiAnswer, { settings }: RouteParts): FastifyReply {
  const { status, text, revision, isReplayed, lacks = [] } = answer;
  reply.header(settings.operationIdHeader, reply.request.id);
  if (revision !== undefined) reply.header('etag', etagOf(revision));
  if (isReplayed) reply.header('idempotent-replayed', 'true');
  if (lacks.length > 0) reply.header('unreadable-secrets', lacks.slice(0, MOST_LACKING).join(', '));
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

import { OPERATIONS, type Operation } from '@tollgate/edge-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerSettings } from '../settings/server-settings.ts';

const MAX_AGE = 600;
/** Longer lists of headers are not repeated, and thus refused by the browser. */
const LONGEST_ECHO = 1000;

type CorsSettings = Pick<ServerSettings, 'corsOrigins' | 'basePath' | 'operationIdHeader'>;

/** Allows pages of the configured origins to call the API from a browser (part B, section 1.1). */
export function addCors(app: FastifyInstance, settings: CorsSettings): void {
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

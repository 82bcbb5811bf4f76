import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/port/store.ts';
import type { Metrics } from './metrics.ts';

/** The dependencies of the service pages. */
interface PageParts {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly now: () => number;
}

/** Milliseconds for which the result of a readiness check holds, because it writes and needs no key. */
const READY_FOR = 1_000;

/** Adds liveness and readiness checks, which some load balancers request with HEAD, and metrics. A server that cannot write is not ready. */
export function addServicePages(app: FastifyInstance, { store, metrics, now }: PageParts): void {
  app.get('/healthz', async (_, reply) => reply.type('application/json').send('{"status":"ok"}'));
  const check = sharedCheck(store, now);
  app.get('/readyz', async (request, reply) => {
    reply.type('application/json');
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

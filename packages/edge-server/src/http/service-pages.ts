import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/port/store.ts';
import type { Metrics } from './metrics.ts';

/** The dependencies of the service pages. */
export interface PageParts {
  readonly store: Store;
  readonly metrics: Metrics;
}

/** Adds liveness and readiness checks, which some load balancers request with HEAD, and metrics. */
export function addServicePages(app: FastifyInstance, { store, metrics }: PageParts): void {
  app.get('/healthz', { exposeHeadRoute: true }, async (_, reply) =>
    reply.type('application/json').send('{"status":"ok"}'),
  );
  app.get('/readyz', { exposeHeadRoute: true }, async (request, reply) => {
    reply.type('application/json');
    try {
      await store.check();
      return await reply.send('{"status":"ready"}');
    } catch (error) {
      request.log.error({ err: error }, 'the store does not respond');
      return await reply.code(503).send('{"status":"unavailable"}');
    }
  });
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.render()));
}

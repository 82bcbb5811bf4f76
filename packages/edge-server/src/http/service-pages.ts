import { statSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/port/store.ts';
import type { Metrics } from './metrics.ts';

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
export function addServicePages(app: FastifyInstance, { store, metrics, now, isReplaced }: PageParts): void {
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

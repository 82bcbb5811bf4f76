// Metrics of a command while it runs, for Prometheus.

import { createServer } from 'node:http';
import type { Registry } from 'prom-client';
import { type Address, listen } from './live-policy.ts';

/** Serves metrics at `/metrics`, and `/healthz`. Throws an `ExternalError` if the address cannot be used. */
export async function serveMetrics(
  registry: Registry,
  address: Address,
): Promise<{ readonly at: string; readonly stop: () => void }> {
  const server = createServer((request, response) => {
    if (request.url === '/healthz') response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok\n');
    else if (request.url === '/metrics')
      registry.metrics().then(
        text => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('expected /metrics or /healthz\n');
  });
  const at = await listen(server, address);
  return {
    at,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

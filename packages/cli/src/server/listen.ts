// Where commands listen, and what they serve there besides their purpose.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { ExternalError } from '@tollgate/diagnostics';
import type { Registry } from 'prom-client';
import { UsageError } from '../process/exit-code.ts';

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads the value of an option: a port, or address and port. The address is 127.0.0.1 unless it is given. */
export function readAddress(option: string, text: string): Address {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535)
    throw new UsageError(
      `\`${option}\` expects a port, or address and port such as \`127.0.0.1:8080\`, found \`${text}\``,
    );
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
}

/** Reads the value of an option: scheme, host and port. */
export function readOrigin(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new UsageError(
      `\`${option}\` expects scheme, host and port such as \`http://127.0.0.1:3000\`, found \`${text}\``,
    );
  return url;
}

/** Lets a server listen, and returns where: `127.0.0.1:8080`. */
export async function listen(server: Server, { host, port }: Address): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message;
    throw new ExternalError('server/listen', `cannot listen on ${host}:${port}: ${reason}`, { cause: error });
  });
  const bound = server.address() as AddressInfo;
  return `${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}

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

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { CERTIFICATE, KEY } from './certificate.ts';

/** Ports on 127.0.0.1 at which there is no Edge Configuration API. */
export interface OddServers {
  /** Responds with HTML that repeats the API key. */
  readonly html: number;
  /** Does the same, with a certificate for 127.0.0.1 that nobody has signed but itself. */
  readonly secure: number;
  /** Redirects to another port, with headers and bodies. */
  readonly redirecting: number;
  /** What that other port was asked for. */
  readonly reached: readonly string[];
  /** Nobody listens there. */
  readonly unused: number;
  readonly stop: () => void;
}

export async function startOddServers(): Promise<OddServers> {
  const echo: RequestListener = (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<html>${request.headers.authorization}</html>`);
  };
  const reached: string[] = [];
  const servers = [
    createServer(echo),
    createSecureServer({ cert: CERTIFICATE, key: KEY }, echo),
    createServer((request, response) => {
      reached.push(`${request.method} ${request.url}`);
      response.end('{}');
    }),
    createServer((request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${other}${request.url}` }).end();
    }),
    createServer(),
  ] as const;
  const [html, secure, other, redirecting, unused] = await Promise.all(servers.map(portOf));
  servers[4].close();
  const stop = () => {
    for (const server of servers) server.close();
  };
  return { html: html!, secure: secure!, redirecting: redirecting!, reached, unused: unused!, stop };
}

/** Starts a server, and returns its port. */
export async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

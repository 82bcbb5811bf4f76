import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What happens to a request or its response. `late`: it reaches the server when its sender has
 * given up. `altered`: the response is sound, but its policies have another version.
 */
export const FAULTS = [
  'late',
  'reset before',
  'reset after',
  'status 429',
  'status 500',
  'status 500 after',
  'truncated',
  'garbled',
  'altered',
  'trickle',
] as const;

/** One of {@link FAULTS}, or none. */
export type Fault = (typeof FAULTS)[number] | undefined;

/** A request that the proxy has seen. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly fault: Fault;
}

/** A proxy between a publisher and the API. */
export interface FaultProxy {
  readonly url: string;
  readonly seen: Seen[];
  /** Chooses the fault of each request; none by default. */
  choose: (request: Pick<Seen, 'method' | 'path'>) => Fault;
  /** Whether to hide entity tags, as the documented API does. */
  hidesTags: boolean;
  /** Resolves when no request is on its way any more, not even a late one. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Longer than the time-out of the publishers in these tests. */
const LATE_MS = 400;

/** Starts a proxy for the API at a URL. What it garbles depends on `random`. */
export async function startFaultProxy(upstream: string, random: () => number = Math.random): Promise<FaultProxy> {
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = handle(request, response).catch(() => void response.destroy());
    running.add(work);
    void work.finally(() => running.delete(work));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    choose: () => undefined,
    hidesTags: false,
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    stop: () => stop(server),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '' } = request;
    const fault = proxy.choose({ method, path: url });
    proxy.seen.push({ method, path: url, fault });
    const forward = () =>
      send(`${upstream}${url}`, { request, body: Buffer.concat(chunks), hidesTags: proxy.hidesTags });
    await answer(response, { fault, forward, random });
  };
  return proxy;
}

interface Forwarded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Forwarding {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly hidesTags: boolean;
}

async function send(url: string, { request, body, hidesTags }: Forwarding): Promise<Forwarded> {
  const headers = new Headers();
  for (const name of ['authorization', 'service-version', 'content-type', ...(hidesTags ? [] : ['if-match'])]) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const method = request.method ?? 'GET';
  const answered = await fetch(url, { method, headers, ...(body.length > 0 && { body }) });
  const tag = hidesTags ? null : answered.headers.get('etag');
  return {
    status: answered.status,
    headers: { 'content-type': 'application/json', ...(tag !== null && { etag: tag }) },
    body: Buffer.from(await answered.arrayBuffer()),
  };
}

interface Answering {
  readonly fault: Fault;
  readonly forward: () => Promise<Forwarded>;
  readonly random: () => number;
}

async function answer(response: ServerResponse, { fault, forward, random }: Answering): Promise<void> {
  if (fault === 'reset before') return void response.destroy();
  if (fault === 'status 429') return refuse(response, 429, { 'retry-after': '0' });
  if (fault === 'status 500') return refuse(response, 500);
  if (fault === 'late') await pause(LATE_MS);
  const { status, headers, body } = await forward();
  if (fault === 'reset after') return void response.destroy();
  if (fault === 'status 500 after') return refuse(response, 500);
  if (fault === 'truncated' && body.length > 0) {
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.write(body.subarray(0, body.length >> 1));
    await pause(1);
    return void response.destroy();
  }
  if (fault === 'trickle') return trickle(response, { status, headers, body });
  response.writeHead(status, headers);
  response.end(fault === 'garbled' ? garbled(body, random) : fault === 'altered' ? altered(body, random) : body);
}

/** Differs each time: the same damage twice in sequence would be a fact. */
function altered(body: Buffer, random: () => number): string {
  return body.toString('utf8').replace(/version \w+/, `version x${Math.floor(random() * 1e9)}`);
}

function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ status_code: status, msg: 'A fault.', details: {} }));
}

async function trickle(response: ServerResponse, { status, headers, body }: Forwarded): Promise<void> {
  response.writeHead(status, headers);
  const size = Math.ceil(body.length / 5) || 1;
  for (let at = 0; at < body.length; at += size) {
    response.write(body.subarray(at, at + size));
    await pause(2);
  }
  response.end();
}

/** Some characters become others, so that the body may still be JSON. */
function garbled(body: Buffer, random: () => number): Buffer {
  const copy = Buffer.from(body);
  for (let count = 0; count < 20 && copy.length > 0; count++) {
    copy[Math.floor(random() * copy.length)] = 0x30 + Math.floor(random() * 10);
  }
  return copy;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>(resolve => server.close(() => resolve()));
}

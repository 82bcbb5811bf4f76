import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A route as it was at one moment. */
export interface Version {
  readonly revision: number;
  readonly policy: unknown;
  readonly ip_restriction: unknown;
  readonly metadata: string;
  /** Who has made it: `somebody else`, or the publisher. */
  readonly by: 'publisher' | 'somebody else';
}

/** A request that the publisher has sent. */
export interface Sent {
  readonly method: string;
  /** Index of the route; undefined for lists. */
  readonly route: number | undefined;
  readonly module: string | undefined;
}

/** What happens to a request. `stale`: a read, or a list, returns what records were before their last change. */
export type Mishap = 'rejected' | 'lost answer' | 'lost request' | 'stale' | undefined;

/**
 * An Edge Configuration API with one edge that remembers every version of its routes, written for these tests alone: what it does is simple
 * enough to be believed without tests of its own.
 */
export interface RememberingApi {
  readonly url: string;
  readonly routes: readonly Version[][];
  readonly sent: Sent[];
  /** Whether responses have entity tags, and writes obey `If-Match`. */
  hasTags: boolean;
  /** Chooses what happens to a request, and may change routes before. */
  meet: (request: Sent) => Mishap;
  /** Changes a route as somebody else. */
  readonly change: (route: number, change: Partial<Version>) => void;
  /** Forgets everything. */
  readonly reset: () => void;
  readonly stop: () => void;
}

const PATH = /^\/edges\/https\/e\/routes\/r(\d+)(?:\/(\w+))?$/;

/** Starts the API with a number of routes, at `/r0/`, `/r1/` … of shop.example. */
export async function startRememberingApi(count: number): Promise<RememberingApi> {
  const empty = (): Version => ({
    revision: 1,
    policy: null,
    ip_restriction: null,
    metadata: '',
    by: 'somebody else',
  });
  const routes = Array.from({ length: count }, () => [empty()]);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    answer({ request, response, api, body: text === '' ? undefined : JSON.parse(text) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api: RememberingApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routes,
    sent: [],
    hasTags: true,
    meet: () => undefined,
    change: (route, change) => push(routes[route]!, { ...change, by: 'somebody else' }),
    reset: () => {
      for (const versions of routes) versions.splice(0, versions.length, empty());
      api.sent.length = 0;
      api.meet = () => undefined;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return api;
}

function push(versions: Version[], change: Partial<Version>): void {
  const last = versions.at(-1)!;
  versions.push({ ...last, ...change, revision: last.revision + 1 });
}

interface Answering {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly api: RememberingApi;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Returns nothing of use; the result of each branch is what ends it. */
function answer({ request, response, api, body }: Answering): unknown {
  const { method = '', url = '' } = request;
  const [path = ''] = url.split('?');
  const match = PATH.exec(path);
  const route = match ? Number(match[1]) : undefined;
  const sent: Sent = { method, route, module: match?.[2] };
  api.sent.push(sent);
  const mishap = api.meet(sent);
  const send = (status: number, value: unknown, revision?: number) => {
    const tag = api.hasTags && revision !== undefined ? { etag: `"${revision}"` } : {};
    response.writeHead(status, { 'content-type': 'application/json', ...tag });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  };
  const refuse = (status: number) => send(status, { status_code: status, msg: 'Refused.', details: {} });
  if (mishap === 'lost request') return response.destroy();
  if (mishap === 'rejected') return refuse(400);
  if (path === '/edges/https') return send(200, listOf(api, mishap === 'stale'));
  if (/^\/edges\/t(?:ls|cp)$/.test(path)) return send(200, { [`${path.slice(7)}_edges`]: [], next_page_uri: null });
  const versions = route === undefined ? undefined : api.routes[route];
  if (!versions) return refuse(404);
  if (method === 'GET') {
    const shown = shownOf(versions, mishap === 'stale');
    if (sent.module === undefined) return send(200, routeBody(shown, route!), shown.revision);
    return refuse(404);
  }
  const given = request.headers['if-match'];
  if (api.hasTags && given !== undefined && given !== `"${versions.at(-1)!.revision}"`) return refuse(412);
  const change =
    sent.module === undefined ? body! : { [sent.module]: method === 'DELETE' ? null : answered(sent, body!) };
  push(versions, { ...change, by: 'publisher' });
  if (mishap === 'lost answer') return response.destroy();
  const now = versions.at(-1)!;
  if (method === 'DELETE') return send(204, undefined, now.revision);
  const { policy, ip_restriction } = now;
  const value = { policy, ip_restriction }[sent.module ?? ''] ?? routeBody(now, route!);
  return send(200, value, now.revision);
}

function shownOf(versions: readonly Version[], isStale: boolean): Version {
  return versions.at(isStale ? -2 : -1) ?? versions[0]!;
}

/** Requests contain ids, responses references. */
function answered({ module }: Sent, body: Readonly<Record<string, unknown>>): unknown {
  if (module !== 'ip_restriction') return body;
  const { ip_policy_ids: ids, ...rest } = body;
  return { ...rest, ip_policies: (ids as readonly string[]).map(id => ({ id, uri: id })) };
}

function routeBody({ policy, ip_restriction, metadata }: Version, route: number) {
  const match = { match: `/r${route}/`, match_type: 'path_prefix' };
  return { id: `r${route}`, edge_id: 'e', ...match, metadata, description: '', policy, ip_restriction };
}

function listOf({ routes }: RememberingApi, isStale: boolean) {
  const edge = {
    id: 'e',
    hostports: ['shop.example:443'],
    metadata: '',
    routes: routes.map((versions, index) => routeBody(shownOf(versions, isStale), index)),
  };
  return { https_edges: [edge], uri: '/edges/https', next_page_uri: null };
}

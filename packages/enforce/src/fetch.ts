/** Policies in front of `fetch` handlers: workers at a CDN, Hono, Bun, Deno. Uses nothing of Node. */
import {
  areHeadersText,
  exchangeOf,
  type GeoFacts,
  type HeaderFacts,
  type HeaderField,
  headerText,
  NO_HEADER_KNOWN,
  normalUrl,
  type RequestConnection,
  type ResponseFacts,
} from '@tollgate/traffic';
import { joined, MAX_BODY, needsBody, sentBody } from './bodies.ts';
import type { Enforcer } from './enforcer.ts';
import { DECIDED_WITH_BODIES, type Host } from './host.ts';
import type { Answer, HeaderChanges, SentResponse } from './wire.ts';

/**
 * A `fetch` handler. It sees requests as `Request` gives them: the path without `..`, the host of the URL in lower case, and one string for a header that was
 * sent several times. A decision that depends on how often a header was sent is undetermined.
 */
export const FETCH_HOST: Host = {
  name: 'a fetch handler',
  fields: new Set([
    'time',
    'method',
    'url',
    'scheme',
    'host',
    'target',
    'request_headers',
    'status',
    'response_headers',
  ]),
  actions: new Set([...DECIDED_WITH_BODIES].filter(action => action !== 'close-connection')),
  closesConnections: false,
  maxStatus: 599,
};

/** A host that also knows the addresses of clients, because `client` of {@link fetchHandler} says them. */
export const FETCH_HOST_WITH_ADDRESSES: Host = {
  ...FETCH_HOST,
  name: 'a fetch handler that knows addresses',
  fields: new Set([...FETCH_HOST.fields, 'client_ip']),
};

/** What the platform says about a client: the header `cf-connecting-ip` of Cloudflare, `requestIP` of Bun, `remoteAddr` of Deno. */
export interface FetchClient extends RequestConnection {
  readonly geo?: GeoFacts;
}

/** A handler, with what the platform passes besides the request. */
export type FetchHandler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * Returns a handler that enforces a policy in front of another one.
 * @param enforcer called for each request, so that a policy can be replaced
 * @param internal returns what answers for an internal endpoint, by its URL; undefined for one that does not exist, which is answered with 502
 */
export function fetchHandler<Rest extends readonly unknown[]>(
  enforcer: () => Enforcer,
  handler: FetchHandler<Rest>,
  client: (request: Request, ...rest: Rest) => FetchClient = () => ({}),
  internal: (url: string) => FetchHandler<Rest> | undefined = () => undefined,
): (request: Request, ...rest: Rest) => Promise<Response> {
  return async (request, ...rest) => {
    const { geo, ...connection } = client(request, ...rest);
    const href = normalUrl(request.url);
    const scheme = connection.scheme ?? (href.startsWith('https:') ? 'https' : 'http');
    const exchange = exchangeOf(request, { ...connection, scheme });
    const current = enforcer();
    const own = { ...exchange, time: Date.now(), scheme, ...(geo && { geo }) };
    const ready = current.tokens?.isNeeded(own) === true ? await current.tokens.validated(own) : own;
    const live = current.begin(needsBody(current, ready) ? { ...ready, requestBody: await bodyOf(request) } : ready);
    if (live.request.kind === 'respond') return answered(live.request.response);
    // The policy and the handler see one spelling of the path.
    const passed = href === request.url ? request : new Request(href, request);
    const { to } = live.request;
    const asked = to === undefined ? handler : (internal(to) ?? badGateway);
    const response = await asked(changedRequest(passed, live.request.request), ...rest);
    const sent = live.respond(responseFacts(response));
    return sent.kind === 'passed' ? changedResponse(response, sent.status, sent.headers) : answered(sent);
  };
}

/** Returns the body of a request, which stays readable; undefined if it is too large, cannot be read, or was read before. */
async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) return undefined;
  const reader = request.clone().body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk?.value === undefined) return joined(chunks);
      chunks.push(chunk.value);
      size += chunk.value.length;
      if (size > MAX_BODY) {
        // It waits for the other copy, which is still to be read.
        void reader?.cancel().catch(() => {});
        return undefined;
      }
    }
  } catch {
    return undefined;
  }
}

/** Answers for an internal endpoint that does not exist. */
function badGateway(): Response {
  return new Response('no such internal endpoint\n', { status: 502 });
}

function changedRequest(
  request: Request,
  { target, headers }: { readonly target: string | undefined; readonly headers: HeaderChanges },
): Request {
  if (target === undefined && headers.size === 0) return request;
  const url = target === undefined ? request.url : new URL(target, request.url).href;
  const changed = new Request(url, request);
  apply(headers, changed.headers);
  return changed;
}

function apply(changes: HeaderChanges, headers: Headers): void {
  for (const [name, { keeps, added }] of changes) {
    if (!keeps) headers.delete(name);
    for (const value of added) {
      // Not every platform joins cookies as clients do (RFC 6265, section 5.4).
      const cookies = name === 'cookie' ? headers.get(name) : null;
      if (cookies === null) headers.append(name, bytesOf(value));
      else headers.set(name, `${cookies}; ${bytesOf(value)}`);
    }
  }
}

/** Headers are strings of bytes in most places; the text of a policy is UTF-8. */
function bytesOf(text: string): string {
  if (/^[\0-\x7f]*$/.test(text) || areHeadersText()) return text;
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** Returns what a handler responds with. Several values of a header are one string there, except for `Set-Cookie`. */
function responseFacts(response: Response): ResponseFacts {
  const { requestHeaders } = exchangeOf({ method: 'GET', url: 'http://localhost/', headers: response.headers });
  const cookies = response.headers
    .getSetCookie()
    .map((value): HeaderField => ({ name: 'set-cookie', value: headerText(value) }));
  const isOwn = ({ name }: HeaderField) => !['host', 'set-cookie'].includes(name.toLowerCase());
  const { unclear } = requestHeaders;
  const others = new Map([...(unclear ?? [])].filter(([name]) => name !== 'set-cookie'));
  const headers: HeaderFacts = {
    ...NO_HEADER_KNOWN,
    fields: [...requestHeaders.fields.filter(isOwn), ...cookies],
    complete: true,
    ...(others.size > 0 && { unclear: others }),
  };
  return { status: response.status, headers, bodySize: undefined };
}

function changedResponse(response: Response, status: number, changes: HeaderChanges): Response {
  if (changes.size === 0 && status === response.status) return response;
  const { body, statusText, headers } = response;
  const changed = new Response(body, { status, headers, ...(statusText !== '' && { statusText }) });
  apply(changes, changed.headers);
  return changed;
}

function answered(sent: SentResponse): Response {
  if (sent.kind === 'answer') return responseOf(sent.answer);
  // Hosts that cannot close connections refuse policies that do.
  return new Response(null, { status: 500 });
}

function responseOf(answer: Answer): Response {
  const { status, fields } = answer;
  const headers = new Headers();
  for (const { name, value } of fields) headers.append(name, bytesOf(value));
  // For these statuses, an empty string would be a body.
  return new Response(sentBody(answer) || null, { status, headers });
}

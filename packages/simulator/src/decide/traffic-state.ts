import { Unknown } from '@tollgate/cel';
import { type Exchange, NO_HEADER_KNOWN, type TlsFacts } from '@tollgate/traffic';
import { firstHeader, type HeaderMap, headerMapOf, joinHeaderMaps, replaceHeader } from '../message/header-map.ts';
import { authorityOf, splitUrl, targetOf } from '../url/split-url.ts';

/** A value, or the names of the inputs that it would take to know it. */
export type Known<T> = T | Unknown;

/** One exchange as the policy has it at one moment: what was recorded, and what earlier actions changed. */
export interface TrafficState {
  readonly clientIp: Known<string>;
  readonly tls: TlsFacts;
  readonly request: RequestState;
  readonly response: ResponseState;
}

/** The request, as earlier actions have left it. */
export interface RequestState {
  readonly method: Known<string>;
  /** Absolute, but for what a careless rewrite makes of it. */
  readonly url: Known<string>;
  /** As it came, where that is known. */
  readonly originalUrl: string;
  /** Path and query: a log knows them where it does not know the URL. */
  readonly target: Known<string>;
  readonly host: Known<string>;
  readonly protocol: Known<string>;
  readonly headers: HeaderMap;
}

/** The response, as earlier actions have left it. */
export interface ResponseState {
  readonly status: Known<number>;
  readonly headers: HeaderMap;
}

/** What is taken for granted where the recording does not say it. */
export interface Assumptions {
  /** Scheme and authority of requests of which only the path was recorded: `https://example.com`. */
  readonly origin?: string;
}

/** The state before the first rule. */
export function initialState(exchange: Exchange, assumptions: Assumptions): TrafficState {
  const { target } = exchange;
  const assumed = assumptions.origin !== undefined && target?.startsWith('/') ? assumptions.origin + target : undefined;
  const url = exchange.url ?? assumed;
  const headers = headerMapOf(exchange.requestHeaders, 'req.Headers');
  return {
    clientIp: exchange.clientIp ?? new Unknown(['conn.ClientIP']),
    tls: exchange.tls,
    request: {
      method: exchange.method ?? new Unknown(['req.Method']),
      url: url ?? new Unknown(['req.URL']),
      originalUrl: url ?? '',
      target: originForm(exchange.url ?? target) ?? new Unknown(['req.URL']),
      host: hostOf(headers, url),
      protocol: exchange.protocol ?? new Unknown(['req.Protocol']),
      headers: assumed === undefined ? headers : replaceHeader(headers, 'Host', [authorityOf(splitUrl(assumed))]),
    },
    response: {
      status: exchange.response?.status ?? new Unknown(['res.StatusCode']),
      headers: headerMapOf(exchange.response?.headers ?? NO_HEADER_KNOWN, 'res.Headers'),
    },
  };
}

/** The authority of an absolute URL counts where the Host header is not known (RFC 9112, section 3.2.2). */
function hostOf(headers: HeaderMap, url: string | undefined): Known<string> {
  const header = firstHeader(headers, 'Host');
  if (typeof header === 'string') return header;
  return url === undefined ? new Unknown(['req.Host']) : authorityOf(splitUrl(url));
}

function originForm(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const parts = splitUrl(url);
  return targetOf(parts.scheme !== '' && parts.path === '' ? { ...parts, path: '/' } : parts);
}

/** The state with another URL. What the upstream answered to the recorded one says nothing of that. */
export function withUrl(state: TrafficState, url: Known<string>): TrafficState {
  const target = typeof url === 'string' ? originForm(url)! : url;
  return { ...state, request: { ...state.request, url, target }, response: unknownResponse(url) };
}

/** The state with another Host header, to which the same applies. */
export function withHost(state: TrafficState, host: Known<string>): TrafficState {
  const headers = replaceHeader(state.request.headers, 'Host', host instanceof Unknown ? host : [host]);
  return { ...state, request: { ...state.request, host, headers }, response: unknownResponse(host) };
}

function unknownResponse(cause: Known<string>): ResponseState {
  const attributes = cause instanceof Unknown ? cause.attributes : [UPSTREAM];
  return { status: new Unknown(attributes), headers: headerMapOf(NO_HEADER_KNOWN, 'res.Headers') };
}

const UPSTREAM = 'the response to the rewritten request';

/** What is known when it is not known which of two states holds. `needs` would tell. */
export function joinStates(a: TrafficState, b: TrafficState, needs: readonly string[]): TrafficState {
  if (a === b) return a;
  const unknown = new Unknown(needs);
  const join = <T extends string | number>(one: Known<T>, other: Known<T>): Known<T> => (one === other ? one : unknown);
  const [request, response] = [a.request, a.response];
  return {
    ...a,
    request: {
      ...request,
      url: join(request.url, b.request.url),
      target: join(request.target, b.request.target),
      host: join(request.host, b.request.host),
      headers: joinHeaderMaps(request.headers, b.request.headers, needs),
    },
    response: {
      status: join(response.status, b.response.status),
      headers: joinHeaderMaps(response.headers, b.response.headers, needs),
    },
  };
}

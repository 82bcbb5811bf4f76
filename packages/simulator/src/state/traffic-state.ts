import { type NonValue, partialMap, Unknown, type Value } from '@tollgate/cel';
import { UnknownPresence, wholeOf } from '@tollgate/cel/tooling';
import { type Exchange, NO_HEADER_KNOWN } from '@tollgate/traffic';
import type { Dialect } from '../message/dialect.ts';
import { type HeaderMap, headerMapOf, joinHeaderMaps, replaceHeader } from '../message/header-map.ts';
import type { RecordedHeaders } from '../message/recorded-headers.ts';
import { plainTarget, splitUrl, targetOf } from '../url/split-url.ts';

/** A value, or the names of the inputs that it would take to know it. */
export type Known<T> = T | Unknown;

/** One exchange as the policy has it at one moment: what was recorded, and what earlier actions changed. */
export interface TrafficState {
  /** What was recorded: of the connection and the time, no action changes anything. */
  readonly exchange: Exchange;
  readonly dialect: Dialect;
  /** What the time is in place of the exchange's own; in ms since 1970-01-01T00:00:00Z. */
  readonly now: number | undefined;
  readonly request: RequestState;
  readonly response: ResponseState;
  /** What `set-vars` has set in this phase. */
  readonly vars: NamedValues;
  /** What actions have left behind, by path: `actions.ngrok.rate_limit.limited`. */
  readonly results: NamedValues;
}

/** Values by name; undefined where there is none. */
export type NamedValues = Readonly<Record<string, Value | NonValue | undefined>>;

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
  /** The headers, where they are still those that were recorded, and read when they are asked for. */
  readonly recorded?: RecordedHeaders | undefined;
}

/** The response, as earlier actions have left it. */
export interface ResponseState {
  readonly status: Known<number>;
  readonly headers: HeaderMap;
  /** As that of the request. */
  readonly recorded?: RecordedHeaders | undefined;
  /** Known of the answers of the edge only: recordings do not hold bodies. */
  readonly body: Known<string>;
}

/** What is taken for granted where the recording does not say it. */
export interface Assumptions {
  /** Scheme and authority of requests of which only the path was recorded: `https://example.com`. */
  readonly origin?: string;
}

export const UNKNOWN_BODY = new Unknown(['the body of the response']);
const TIME = new Unknown(['the time of the exchange']);

/** The time for expressions. Asked for when it is needed only: reading it out of a log is dear. */
export function timeOf({ now, exchange }: TrafficState): Known<number> {
  return now ?? exchange.time ?? TIME;
}

/** The address of the client. Asked for when it is needed only, as the time is. */
export function clientIpOf({ exchange, dialect }: TrafficState): Known<string> {
  return exchange.clientIp ?? dialect.unknown.clientIp;
}

export const NOTHING: NamedValues = {};

/** Path and query of a URL, or of a target as sent. */
export function originForm(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const plain = plainTarget(url);
  if (plain !== undefined) return plain;
  const parts = splitUrl(url);
  return targetOf(parts.scheme !== '' && parts.path === '' ? { ...parts, path: '/' } : parts);
}

/** The request with some of it changed. What was recorded only is looked at in full: a request may be one that is read when asked for. */
export function changedRequest(request: RequestState, changes: Partial<RequestState>): RequestState {
  const { method, url, originalUrl, target, host, protocol, headers } = request;
  return { method, url, originalUrl, target, host, protocol, headers, ...changes };
}

/** The response with some of it changed; as {@link changedRequest}. */
export function changedResponse(response: ResponseState, changes: Partial<ResponseState>): ResponseState {
  const { status, headers, body } = response;
  return { status, headers, body, ...changes };
}

/** The state with another URL. What the upstream answered to the recorded one says nothing of that. */
export function withUrl(state: TrafficState, url: Known<string>): TrafficState {
  const target = typeof url === 'string' ? originForm(url)! : url;
  return { ...state, request: changedRequest(state.request, { url, target }), response: unknownResponse(state, url) };
}

/** The state with another Host header, to which the same applies. */
export function withHost(state: TrafficState, host: Known<string>): TrafficState {
  const { request, dialect } = state;
  const values = host instanceof Unknown ? host : [host];
  const headers = replaceHeader(request.headers, dialect.headerKey('host'), values);
  return { ...state, request: changedRequest(request, { host, headers }), response: unknownResponse(state, host) };
}

function unknownResponse({ dialect }: TrafficState, cause: Known<string>): ResponseState {
  const attributes = cause instanceof Unknown ? cause.attributes : [UPSTREAM];
  const headers = headerMapOf(NO_HEADER_KNOWN, dialect.names.responseHeaders, dialect);
  return { status: new Unknown(attributes), headers, body: UNKNOWN_BODY };
}

const UPSTREAM = 'the response to the rewritten request';

/**
 * The state with what an action has left behind. What the same action left before is gone.
 *
 * @param prefix of the paths; undefined where expressions cannot read of such an action
 */
export function withResults(state: TrafficState, prefix: string | undefined, values: NamedValues): TrafficState {
  if (prefix === undefined) return state;
  const kept = Object.entries(state.results).filter(([path]) => !path.startsWith(`${prefix}.`));
  const named = Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value] as const);
  return { ...state, results: Object.fromEntries([...kept, ...named]) };
}

/** What is known when it is not known which of two states holds. `needs` would tell. */
export function joinStates(a: TrafficState, b: TrafficState, needs: readonly string[]): TrafficState {
  if (a === b) return a;
  const unknown = new Unknown(needs);
  const join = <T extends string | number>(one: Known<T>, other: Known<T>): Known<T> =>
    sameKnown(one, other) ? one : unknown;
  const [request, response] = [a.request, a.response];
  return {
    ...a,
    request:
      request === b.request
        ? request
        : changedRequest(request, {
            url: join(request.url, b.request.url),
            target: join(request.target, b.request.target),
            host: join(request.host, b.request.host),
            headers: joinHeaderMaps(request.headers, b.request.headers, needs),
          }),
    response:
      response === b.response
        ? response
        : {
            status: join(response.status, b.response.status),
            headers: joinHeaderMaps(response.headers, b.response.headers, needs),
            body: join(response.body, b.response.body),
          },
    vars: joinValues(a.vars, b.vars, needs),
    results: joinValues(a.results, b.results, needs),
  };
}

function sameKnown(a: unknown, b: unknown): boolean {
  if (!(a instanceof Unknown && b instanceof Unknown)) return Object.is(a, b);
  return a.constructor === b.constructor && a.attributes.join('\n') === b.attributes.join('\n');
}

function joinValues(a: NamedValues, b: NamedValues, needs: readonly string[]): NamedValues {
  if (a === b) return a;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const joined = names.map(name => {
    const [one, other] = [a[name], b[name]];
    if (sameKnown(one, other)) return [name, one] as const;
    const unknown = one === undefined || other === undefined || one instanceof UnknownPresence;
    return [
      name,
      unknown || other instanceof UnknownPresence ? new UnknownPresence(needs) : new Unknown(needs),
    ] as const;
  });
  const whole = wholeOf(a) ?? wholeOf(b);
  const values = Object.fromEntries(joined);
  return whole === undefined ? values : (partialMap(values, whole) as NamedValues);
}

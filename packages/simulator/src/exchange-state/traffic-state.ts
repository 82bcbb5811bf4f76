/** The state of an exchange during the evaluation: request, response, variables, and what actions have changed. */
import { type NonValue, partialMap, Unknown, type Value } from '@tollgate/cel';
import { UnknownPresence, wholeOf } from '@tollgate/cel/tooling';
import { type Exchange, NO_HEADER_KNOWN, normalizeAddress } from '@tollgate/traffic';
import type { Dialect } from './dialect.ts';
import {
  editedHeaders,
  type HeaderEdits,
  type HeaderMap,
  type HeaderSource,
  headerMapOf,
  joinHeaderMaps,
  replaceHeader,
} from './headers.ts';
import { authorityOf, plainTarget, splitUrl, targetOf, type UrlParts } from './url.ts';

/** A value, or the names of the inputs that would be needed to know it. */
export type Known<T> = T | Unknown;

/** An exchange at one moment of the evaluation: what was recorded, and what earlier actions changed. */
export interface TrafficState {
  /** The recorded exchange; no action changes its connection and time. */
  readonly exchange: Exchange;
  readonly dialect: Dialect;
  /** Replaces the exchange's own time; in ms since 1970-01-01T00:00:00Z. */
  readonly now: number | undefined;
  readonly request: RequestState;
  readonly response: ResponseState;
  /** Variables set by `set-vars` in this phase. */
  readonly vars: NamedValues;
  /** Results of actions by path: `actions.ngrok.rate_limit.limited`. */
  readonly results: NamedValues;
  /** What limits and circuit breakers counted the exchange as, in order. */
  readonly counters: readonly Counter[];
}

/** A counter that an exchange counts towards. */
export interface Counter {
  /** Its settings, as text. */
  readonly limit: string;
  readonly key: Known<string>;
}

/** Values by name; undefined for missing ones. */
export type NamedValues = Readonly<Record<string, Value | NonValue | undefined>>;

/** The request after earlier actions. */
export interface RequestState {
  readonly method: Known<string>;
  /** Absolute, unless a rewrite broke it. */
  readonly url: Known<string>;
  /** As received, if known. */
  readonly originalUrl: string;
  /** Path and query; logs may contain them without the rest of the URL. */
  readonly target: Known<string>;
  /** What precedes them in the URL; logs may contain parts of it. */
  readonly origin: UrlOrigin;
  readonly host: Known<string>;
  readonly protocol: Known<string>;
  readonly headers: HeaderMap;
  /** The headers, read on demand; undefined if they are only known as a map. */
  readonly recorded?: HeaderSource | undefined;
  readonly changes: MessageChanges;
}

/** The parts of a URL before its path, each known for itself. */
export interface UrlOrigin {
  /** In lower case. */
  readonly scheme: Known<string>;
  /** The host and, if given, the port. */
  readonly authority: Known<string>;
  /** In lower case and without the final dot of a fully qualified name. */
  readonly hostName: Known<string>;
  /** Empty if there is none. */
  readonly user: Known<string>;
}

/** What actions have done to a message, as far as its values do not show it. */
export interface MessageChanges {
  /** Whether its URL was replaced. */
  readonly url: boolean;
  /** By header; undefined if that depends on what is not known. */
  readonly headers: HeaderEdits | undefined;
  /** What replacements in its body are configured as, in order. */
  readonly bodies: readonly string[];
  /** Whether the edge made it, so that nothing of it was recorded. */
  readonly isMade: boolean;
}

export const UNCHANGED: MessageChanges = { url: false, headers: new Map(), bodies: [], isMade: false };

/** The changes to a response that the edge makes. */
export const MADE: MessageChanges = { ...UNCHANGED, isMade: true };

/** The response after earlier actions. */
export interface ResponseState {
  readonly status: Known<number>;
  readonly headers: HeaderMap;
  /** As in the request. */
  readonly recorded?: HeaderSource | undefined;
  readonly changes: MessageChanges;
  /** Known only for responses of the edge: recordings do not contain bodies. */
  readonly body: Known<string>;
}

/** What to assume of each exchange that does not say it. */
export interface Assumptions {
  /** Scheme, host and port: `https://example.com`. A part that an exchange has is not replaced. */
  readonly origin?: string;
}

export const UNKNOWN_BODY = new Unknown(['the body of the response']);
const TIME = new Unknown(['the time of the exchange']);

/** Returns the time for expressions. Call it only when needed: parsing the time of a log line is expensive. */
export function timeOf({ now, exchange }: TrafficState): Known<number> {
  return now ?? exchange.time ?? TIME;
}

/** Returns the client's address. Call it only when needed, like {@link timeOf}. */
export function clientIpOf({ exchange, dialect }: TrafficState): Known<string> {
  const { clientIp } = exchange;
  return (clientIp === undefined ? undefined : normalizeAddress(clientIp)) ?? dialect.unknown.clientIp;
}

export const NO_VALUES: NamedValues = {};

/** Returns path and query of a URL or of a request target. */
export function originForm(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const plain = plainTarget(url);
  if (plain !== undefined) return plain;
  const parts = splitUrl(url);
  return targetOf(parts.scheme !== '' && parts.path === '' ? { ...parts, path: '/' } : parts);
}

/** Returns the request with changes, as plain data: all members that were read on demand are read. */
export function changedRequest(request: RequestState, changes: Partial<RequestState>): RequestState {
  const { method, url, originalUrl, target, origin, host, protocol, headers, changes: made } = request;
  return { method, url, originalUrl, target, origin, host, protocol, headers, changes: made, ...changes };
}

/** Returns the response with changes; see {@link changedRequest}. */
export function changedResponse(response: ResponseState, changes: Partial<ResponseState>): ResponseState {
  const { status, headers, body, changes: made } = response;
  return { status, headers, body, changes: made, ...changes };
}

/** Returns the state with another URL. The recorded response says nothing about that URL. */
export function withUrl(state: TrafficState, url: Known<string>): TrafficState {
  const isKnown = typeof url === 'string';
  const target = isKnown ? originForm(url)! : url;
  const origin = isKnown ? originOf(splitUrl(url)) : { scheme: url, authority: url, hostName: url, user: url };
  const changes = { ...state.request.changes, url: true };
  const request = changedRequest(state.request, { url, target, origin, changes });
  return { ...state, request, response: unknownResponse(state, url) };
}

/** Returns what precedes the path of a URL. */
export function originOf(parts: UrlParts): UrlOrigin {
  return {
    scheme: parts.scheme,
    authority: authorityOf(parts),
    hostName: parts.host.toLowerCase().replace(/\.$/, ''),
    user: parts.user,
  };
}

/** Returns the state with another Host header. The recorded response says nothing about that host. */
export function withHost(state: TrafficState, host: Known<string>): TrafficState {
  const { request, dialect } = state;
  const values = host instanceof Unknown ? host : [host];
  const key = dialect.headerKey('host');
  const headers = replaceHeader(request.headers, key, values);
  const changes = { ...request.changes, headers: editedHeaders(request.changes.headers, [{ key, to: values }]) };
  const changed = changedRequest(request, { host, headers, changes });
  return { ...state, request: changed, response: unknownResponse(state, host) };
}

function unknownResponse({ dialect }: TrafficState, cause: Known<string>): ResponseState {
  const attributes = cause instanceof Unknown ? cause.attributes : [UPSTREAM];
  const headers = headerMapOf(NO_HEADER_KNOWN, dialect.names.responseHeaders, dialect);
  return { status: new Unknown(attributes), headers, body: UNKNOWN_BODY, changes: UNCHANGED };
}

const UPSTREAM = 'the response to the rewritten request';

/**
 * Returns the state with the results of an action, which replace its earlier ones.
 * @param prefix of the paths; undefined if the action has no result variables
 */
export function withResults(state: TrafficState, prefix: string | undefined, values: NamedValues): TrafficState {
  if (prefix === undefined) return state;
  const results: Record<string, NamedValues[string]> = {};
  for (const path in state.results) if (!path.startsWith(`${prefix}.`)) results[path] = state.results[path];
  for (const name in values) results[`${prefix}.${name}`] = values[name];
  return { ...state, results };
}

/** Returns what is known if either state may hold. `needs` are the inputs that would settle which. */
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
            origin: {
              scheme: join(request.origin.scheme, b.request.origin.scheme),
              authority: join(request.origin.authority, b.request.origin.authority),
              hostName: join(request.origin.hostName, b.request.origin.hostName),
              user: join(request.origin.user, b.request.origin.user),
            },
            host: join(request.host, b.request.host),
            headers: joinHeaderMaps(request.headers, b.request.headers, needs),
            changes: joinChanges(request.changes, b.request.changes),
          }),
    response:
      response === b.response
        ? response
        : {
            status: join(response.status, b.response.status),
            headers: joinHeaderMaps(response.headers, b.response.headers, needs),
            body: join(response.body, b.response.body),
            changes: joinChanges(response.changes, b.response.changes),
          },
    vars: joinValues(a.vars, b.vars, needs),
    results: joinValues(a.results, b.results, needs),
    counters: a.counters.length >= b.counters.length ? a.counters : b.counters,
  };
}

function joinChanges(a: MessageChanges, b: MessageChanges): MessageChanges {
  if (a === b) return a;
  return {
    url: a.url || b.url,
    headers: undefined,
    bodies: a.bodies.length >= b.bodies.length ? a.bodies : b.bodies,
    isMade: a.isMade && b.isMade,
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

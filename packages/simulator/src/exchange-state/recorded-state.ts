/** The state at the beginning: what a recording says about an exchange. */
import { Unknown } from '@tollgate/cel';
import { type Exchange, isAuthority, NO_HEADER_KNOWN, type ResponseFacts } from '@tollgate/traffic';
import { type Dialect, type HeaderName, SNAKE_CASE } from './dialect.ts';
import {
  ChangedHeaders,
  changedHeaders,
  editedHeaders,
  firstOf,
  type HeaderChange,
  type HeaderMap,
  type HeaderSource,
  type HeaderValues,
  headerValues,
  RecordedHeaders,
} from './headers.ts';
import {
  type Assumptions,
  changedRequest,
  changedResponse,
  type Known,
  type MessageChanges,
  NO_VALUES,
  originForm,
  originOf,
  type RequestState,
  type ResponseState,
  type TrafficState,
  UNCHANGED,
  UNKNOWN_BODY,
  type UrlOrigin,
} from './traffic-state.ts';
import { authorityOf, splitUrl, type UrlParts } from './url.ts';

/** The context of a state, in addition to the exchange. */
export interface StateOptions {
  readonly dialect: Dialect;
  readonly assumptions: Assumptions;
  /** Replaces the exchange's own time; in ms since 1970-01-01T00:00:00Z. */
  readonly now?: number | undefined;
}

/** Returns the state before the first rule. Recorded values are read on demand, because a policy reads few of them. */
export function recordedState(exchange: Exchange, { dialect, assumptions, now }: StateOptions): TrafficState {
  return {
    exchange,
    dialect,
    now,
    request: new RecordedRequest(exchange, dialect, assumptions),
    response: new RecordedResponse(exchange, dialect),
    vars: NO_VALUES,
    results: NO_VALUES,
    counters: NO_COUNTERS,
  };
}

const NO_COUNTERS: TrafficState['counters'] = [];

/** Returns the URL of an exchange, completed with what is assumed; undefined if it is not known. */
export function urlUnder(exchange: Exchange, assumptions: Assumptions): string | undefined {
  const { url } = new RecordedRequest(exchange, SNAKE_CASE, assumptions);
  return typeof url === 'string' ? url : undefined;
}

/** Returns the state before the first rule, as plain data. */
export function initialState(exchange: Exchange, options: StateOptions): TrafficState {
  const state = recordedState(exchange, options);
  return { ...state, request: changedRequest(state.request, {}), response: changedResponse(state.response, {}) };
}

/** Returns the values of a header; undefined if it is absent. For recorded headers, this does not build the map of all. */
export function valuesIn(message: RequestState | ResponseState, name: HeaderName): HeaderValues {
  const { recorded } = message;
  return recorded === undefined ? headerValues(message.headers, name.key) : recorded.valuesOf(name);
}

/** Returns the first value of a header; undefined if it is absent. */
export function firstIn(message: RequestState | ResponseState, name: HeaderName): string | Unknown | undefined {
  return firstOf(valuesIn(message, name));
}

/** Returns a request with changed headers. Of a recorded one, no other header is read. */
export function requestWithHeaders(request: RequestState, changed: readonly HeaderChange[]): RequestState {
  const changes = { ...request.changes, headers: editedHeaders(request.changes.headers, changed) };
  const { recorded } = request;
  return recorded === undefined
    ? changedRequest(request, { headers: changedHeaders(request.headers, changed), changes })
    : new RequestWithHeaders(request, new ChangedHeaders(recorded, changed), changes);
}

/** Returns a response with changed headers; see {@link requestWithHeaders}. */
export function responseWithHeaders(response: ResponseState, changed: readonly HeaderChange[]): ResponseState {
  const changes = { ...response.changes, headers: editedHeaders(response.changes.headers, changed) };
  const { recorded } = response;
  return recorded === undefined
    ? changedResponse(response, { headers: changedHeaders(response.headers, changed), changes })
    : new ResponseWithHeaders(response, new ChangedHeaders(recorded, changed), changes);
}

class RequestWithHeaders implements RequestState {
  readonly recorded: HeaderSource;
  readonly changes: MessageChanges;
  readonly #before: RequestState;

  constructor(before: RequestState, recorded: HeaderSource, changes: MessageChanges) {
    this.#before = before;
    this.recorded = recorded;
    this.changes = changes;
  }

  get method(): Known<string> {
    return this.#before.method;
  }

  get url(): Known<string> {
    return this.#before.url;
  }

  get originalUrl(): string {
    return this.#before.originalUrl;
  }

  get target(): Known<string> {
    return this.#before.target;
  }

  get origin(): UrlOrigin {
    return this.#before.origin;
  }

  get host(): Known<string> {
    return this.#before.host;
  }

  get protocol(): Known<string> {
    return this.#before.protocol;
  }

  get headers(): HeaderMap {
    return this.recorded.map;
  }
}

class ResponseWithHeaders implements ResponseState {
  readonly recorded: HeaderSource;
  readonly changes: MessageChanges;
  readonly #before: ResponseState;

  constructor(before: ResponseState, recorded: HeaderSource, changes: MessageChanges) {
    this.#before = before;
    this.recorded = recorded;
    this.changes = changes;
  }

  get status(): Known<number> {
    return this.#before.status;
  }

  get body(): Known<string> {
    return this.#before.body;
  }

  get headers(): HeaderMap {
    return this.recorded.map;
  }
}

class RecordedRequest implements RequestState {
  readonly changes = UNCHANGED;
  readonly #exchange: Exchange;
  readonly #dialect: Dialect;
  /** Scheme, host and port of what the exchange does not say. */
  readonly #assumed: UrlParts | undefined;
  #url: Known<string> | undefined;
  #target: Known<string> | undefined;
  #authority: Known<string> | undefined;
  #recorded: RecordedHeaders | undefined;

  constructor(exchange: Exchange, dialect: Dialect, { origin }: Assumptions) {
    this.#exchange = exchange;
    this.#dialect = dialect;
    this.#assumed = origin === undefined ? undefined : splitUrl(origin);
  }

  get method(): Known<string> {
    return this.#exchange.method ?? this.#dialect.unknown.method;
  }

  get url(): Known<string> {
    this.#url ??= this.#exchange.url ?? this.#completedUrl();
    return this.#url;
  }

  get origin(): UrlOrigin {
    const { url } = this;
    if (typeof url === 'string') return originOf(splitUrl(url));
    const [scheme, authority] = [this.#scheme, this.#urlAuthority];
    const { hostName } = this.#exchange;
    return {
      scheme: scheme ?? new Unknown([`${this.#dialect.names.url}.scheme`]),
      authority,
      hostName: hostName ?? mapHost(authority),
      // Only URLs for proxies have user and password.
      user: this.#exchange.target?.startsWith('/') === true && typeof authority === 'string' ? '' : url,
    };
  }

  get originalUrl(): string {
    return typeof this.url === 'string' ? this.url : '';
  }

  get target(): Known<string> {
    this.#target ??= this.#readTarget() ?? this.#dialect.unknown.target;
    return this.#target;
  }

  /** The authority of a target that is a whole URL counts instead of the Host header, and that of a URL if the header is unknown. */
  get host(): Known<string> {
    const { targetAuthority } = this.#exchange;
    if (targetAuthority) return authorityOf(splitUrl(`http://${targetAuthority}/`));
    const isWhole = targetAuthority === undefined ? ABSOLUTE.test(this.#exchange.target ?? '') : targetAuthority === '';
    const header = isWhole ? undefined : firstOf(this.recorded.valuesOf(this.#dialect.host));
    if (typeof header === 'string') return header;
    // Of a URL that is completed, it is known already.
    const { url } = this.#exchange;
    return url === undefined ? this.#urlAuthority : authorityOf(splitUrl(url));
  }

  get protocol(): Known<string> {
    return this.#exchange.protocol ?? this.#dialect.unknown.protocol;
  }

  get headers(): HeaderMap {
    return this.recorded.map;
  }

  get recorded(): RecordedHeaders {
    if (this.#recorded !== undefined) return this.#recorded;
    const whole = this.#dialect.names.requestHeaders;
    const recorded = new RecordedHeaders(this.#exchange.requestHeaders, whole, this.#dialect);
    this.#recorded = recorded;
    if (this.#assumed === undefined || !(recorded.valuesOf(this.#dialect.host) instanceof Unknown)) return recorded;
    const { url } = this.#exchange;
    const host = url === undefined ? this.#urlAuthority : authorityOf(splitUrl(url));
    if (typeof host === 'string')
      this.#recorded = new RecordedHeaders(this.#exchange.requestHeaders, whole, this.#dialect, host);
    return this.#recorded;
  }

  get #scheme(): string | undefined {
    return this.#exchange.scheme ?? this.#assumed?.scheme;
  }

  /** The authority that the client sent, or what is assumed of it; for exchanges without a whole URL. */
  get #urlAuthority(): Known<string> {
    this.#authority ??= this.#readAuthority();
    return this.#authority;
  }

  #readAuthority(): Known<string> {
    const recorded = new RecordedHeaders(
      this.#exchange.requestHeaders,
      this.#dialect.names.requestHeaders,
      this.#dialect,
    );
    const sent = firstOf(recorded.valuesOf(this.#dialect.host));
    if (typeof sent === 'string' && sent !== '') return sent;
    // A request without a host has no URL.
    if (!(sent instanceof Unknown)) return this.#dialect.unknown.host;
    if (this.#assumed === undefined) return this.#dialect.unknown.host;
    const { hostName } = this.#exchange;
    return authorityOf(hostName === undefined ? this.#assumed : { ...this.#assumed, host: hostName });
  }

  #completedUrl(): Known<string> {
    const { target } = this.#exchange;
    const [scheme, authority] = [this.#scheme, this.#urlAuthority];
    if (scheme !== undefined && typeof authority === 'string' && isAuthority(authority) && target?.startsWith('/'))
      return `${scheme}://${authority}${target}`;
    const { names, unknown } = this.#dialect;
    // Where nothing is known of it, its parts are not worth naming.
    if (target === undefined || (scheme === undefined && authority instanceof Unknown)) return unknown.url;
    const needs = [
      ...(scheme === undefined ? [`${names.url}.scheme`] : []),
      ...(authority instanceof Unknown ? [names.host] : []),
    ];
    return needs.length === 0 ? unknown.url : new Unknown(needs);
  }

  #readTarget(): string | undefined {
    return originForm(typeof this.url === 'string' ? this.url : this.#exchange.target);
  }
}

const ABSOLUTE = /^https?:\/\//i;

function mapHost(authority: Known<string>): Known<string> {
  return typeof authority === 'string' ? originOf(splitUrl(`http://${authority}`)).hostName : authority;
}

class RecordedResponse implements ResponseState {
  readonly changes = UNCHANGED;
  readonly body = UNKNOWN_BODY;
  /** What contains it is not asked before something of it is read. */
  readonly #source: { readonly response: ResponseFacts | undefined };
  readonly #dialect: Dialect;
  /** Null until it is read. */
  #facts: ResponseFacts | undefined | null = null;
  #recorded: RecordedHeaders | undefined;

  constructor(source: { readonly response: ResponseFacts | undefined }, dialect: Dialect) {
    this.#source = source;
    this.#dialect = dialect;
  }

  get #response(): ResponseFacts | undefined {
    if (this.#facts === null) this.#facts = this.#source.response;
    return this.#facts;
  }

  get status(): Known<number> {
    return this.#response?.status ?? this.#dialect.unknown.status;
  }

  get headers(): HeaderMap {
    return this.recorded.map;
  }

  get recorded(): RecordedHeaders {
    if (this.#recorded !== undefined) return this.#recorded;
    const facts = this.#response?.headers ?? NO_HEADER_KNOWN;
    this.#recorded = new RecordedHeaders(facts, this.#dialect.names.responseHeaders, this.#dialect);
    return this.#recorded;
  }
}

/** Returns the response before the first rule. */
export function recordedResponse(response: ResponseFacts, dialect: Dialect): ResponseState {
  return new RecordedResponse({ response }, dialect);
}

import type { Unknown } from '@tollgate/cel';
import { type Exchange, NO_HEADER_KNOWN, type ResponseFacts } from '@tollgate/traffic';
import type { Dialect } from '../message/dialect.ts';
import { firstOf, type HeaderMap, type HeaderValues, headerValues } from '../message/header-map.ts';
import type { HeaderName } from '../message/header-name.ts';
import { RecordedHeaders } from '../message/recorded-headers.ts';
import { authorityOf, splitUrl } from '../url/split-url.ts';
import {
  type Assumptions,
  changedRequest,
  changedResponse,
  type Known,
  NOTHING,
  originForm,
  type RequestState,
  type ResponseState,
  type TrafficState,
  UNKNOWN_BODY,
} from './traffic-state.ts';

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
    request: new RecordedRequest(exchange, dialect, assumptions.origin),
    response: new RecordedResponse(exchange, dialect),
    vars: NOTHING,
    results: NOTHING,
  };
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

class RecordedRequest implements RequestState {
  readonly #exchange: Exchange;
  readonly #dialect: Dialect;
  readonly #origin: string | undefined;
  #url: Known<string> | undefined;
  #target: Known<string> | undefined;
  #recorded: RecordedHeaders | undefined;

  constructor(exchange: Exchange, dialect: Dialect, origin: string | undefined) {
    this.#exchange = exchange;
    this.#dialect = dialect;
    this.#origin = origin;
  }

  get method(): Known<string> {
    return this.#exchange.method ?? this.#dialect.unknown.method;
  }

  get url(): Known<string> {
    this.#url ??= this.#exchange.url ?? this.#assumedUrl() ?? this.#dialect.unknown.url;
    return this.#url;
  }

  get originalUrl(): string {
    return typeof this.url === 'string' ? this.url : '';
  }

  get target(): Known<string> {
    this.#target ??= this.#readTarget() ?? this.#dialect.unknown.url;
    return this.#target;
  }

  /** The authority of an absolute URL counts if the Host header is unknown (RFC 9112, section 3.2.2). */
  get host(): Known<string> {
    const header = firstOf(this.recorded.valuesOf(this.#dialect.host));
    if (typeof header === 'string') return header;
    return typeof this.url === 'string' ? authorityOf(splitUrl(this.url)) : this.#dialect.unknown.host;
  }

  get protocol(): Known<string> {
    return this.#exchange.protocol ?? this.#dialect.unknown.protocol;
  }

  get headers(): HeaderMap {
    return this.recorded.map;
  }

  get recorded(): RecordedHeaders {
    if (this.#recorded !== undefined) return this.#recorded;
    const host = this.#assumedUrl() === undefined ? undefined : authorityOf(splitUrl(this.#origin!));
    const { names } = this.#dialect;
    this.#recorded = new RecordedHeaders(this.#exchange.requestHeaders, names.requestHeaders, this.#dialect, host);
    return this.#recorded;
  }

  #assumedUrl(): string | undefined {
    if (this.#origin === undefined) return undefined;
    const { target } = this.#exchange;
    return target?.startsWith('/') ? this.#origin + target : undefined;
  }

  #readTarget(): string | undefined {
    return originForm(typeof this.url === 'string' ? this.url : this.#exchange.target);
  }
}

class RecordedResponse implements ResponseState {
  readonly body = UNKNOWN_BODY;
  readonly #exchange: Exchange;
  readonly #dialect: Dialect;
  /** Null until it is read. */
  #facts: ResponseFacts | undefined | null = null;
  #recorded: RecordedHeaders | undefined;

  constructor(exchange: Exchange, dialect: Dialect) {
    this.#exchange = exchange;
    this.#dialect = dialect;
  }

  get #response(): ResponseFacts | undefined {
    if (this.#facts === null) this.#facts = this.#exchange.response;
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

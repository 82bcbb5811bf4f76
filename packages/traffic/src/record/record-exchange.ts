import {
  type ConnectionFacts,
  type Exchange,
  type HeaderFacts,
  NO_HEADER_KNOWN,
  type ResponseFacts,
  TLS_UNKNOWN,
  type TlsFacts,
} from '../exchange/exchange.ts';
import type { GeoFacts } from '../exchange/geo-facts.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import { NOTHING_UNCLEAR, unclearOf } from './logged-headers.ts';
import type { RecordFacts } from './record-facts.ts';
import { cipherSuiteIn } from './values/cipher-suite.ts';

/** A log record as an exchange: recorded parts are combined on demand, and those that take long once. Null stands for one that was not read. */
export class RecordExchange implements Exchange {
  readonly place: RecordLocation;
  readonly #facts: RecordFacts;
  #clientIp: string | undefined | null = null;
  #geo: GeoFacts | undefined | null = null;
  /** The one that the record has itself. */
  #recordedUrl: string | undefined | null = null;
  #requestHeaders: HeaderFacts | null = null;
  #response: ResponseFacts | undefined | null = null;

  constructor(place: RecordLocation, facts: RecordFacts) {
    this.place = place;
    this.#facts = facts;
  }

  get time(): number | undefined {
    return this.#facts.time;
  }

  get clientIp(): string | undefined {
    if (this.#clientIp === null) this.#clientIp = this.#facts.clientIp;
    return this.#clientIp;
  }

  get geo(): GeoFacts | undefined {
    if (this.#geo === null) this.#geo = this.#facts.geo;
    return this.#geo;
  }

  get connection(): ConnectionFacts | undefined {
    const { clientPort, serverIp, serverPort } = this.#facts;
    if (clientPort === undefined && serverIp === undefined && serverPort === undefined) return undefined;
    return { clientPort, serverIp, serverPort };
  }

  get tls(): TlsFacts {
    const { tlsVersion: version, tlsCipher, serverName, alpn, ja4 } = this.#facts;
    const cipherSuite = cipherSuiteIn(tlsCipher);
    if (version === '' || (version === undefined && this.#facts.scheme === 'http')) return NO_TLS;
    if ((version ?? cipherSuite ?? serverName ?? alpn ?? ja4) === undefined) return TLS_UNKNOWN;
    return { version, cipherSuite, serverName, alpn, ja4 };
  }

  get method(): string | undefined {
    return this.#facts.method;
  }

  get target(): string | undefined {
    const { target } = this.#facts;
    if (target !== undefined) return target;
    const { path, query } = this.#facts;
    if (path !== undefined && (query !== undefined || path.includes('?'))) return joinQuery(path, query);
    const url = this.#ownUrl();
    return url === undefined ? undefined : targetOfUrl(url);
  }

  get url(): string | undefined {
    const url = this.#ownUrl();
    if (url !== undefined) return withoutFragment(url);
    const target = this.target;
    if (target === undefined) return undefined;
    if (ABSOLUTE.test(target)) return withoutFragment(target);
    const authority = this.#facts.host ?? hostHeader(this.#facts.requestHeaders);
    const { scheme } = this;
    if (scheme === undefined || !authority || !target.startsWith('/')) return undefined;
    return `${scheme}://${authority}${withoutFragment(target)}`;
  }

  get scheme(): string | undefined {
    const { scheme, tlsVersion } = this.#facts;
    if (scheme !== undefined || tlsVersion === undefined) return scheme;
    return tlsVersion === '' ? 'http' : 'https';
  }

  /** For requests of HTTP/1.0, which need no host, servers log a name from their configuration. */
  get hostName(): string | undefined {
    const { hostName, protocol } = this.#facts;
    const hasHost = protocol !== undefined && !/^HTTP\/(?:0|1\.0)/.test(protocol);
    return hasHost ? hostName?.toLowerCase().replace(/\.$/, '') : undefined;
  }

  #ownUrl(): string | undefined {
    if (this.#recordedUrl === null) this.#recordedUrl = this.#facts.url;
    return this.#recordedUrl;
  }

  get protocol(): string | undefined {
    return this.#facts.protocol;
  }

  get requestHeaders(): HeaderFacts {
    this.#requestHeaders ??= this.#readRequestHeaders();
    return this.#requestHeaders;
  }

  #readRequestHeaders(): HeaderFacts {
    const { requestHeaders = NO_HEADER_KNOWN, host } = this.#facts;
    if (host === undefined || hostHeader(requestHeaders) !== undefined) return requestHeaders;
    const absent = requestHeaders.absent.filter(name => name !== 'host');
    const { fields, complete, withheld, unclear = NOTHING_UNCLEAR, mayBeComplete } = requestHeaders;
    return {
      fields: [{ name: 'Host', value: host }, ...fields],
      ...{ absent, complete, withheld, ...(mayBeComplete && { mayBeComplete }) },
      ...unclearOf([...unclear].filter(([name]) => name !== 'host')),
    };
  }

  get response(): ResponseFacts | undefined {
    if (this.#response === null) this.#response = this.#readResponse();
    return this.#response;
  }

  #readResponse(): ResponseFacts | undefined {
    const response = new RecordResponse(this.#facts);
    const isKnown = (response.status ?? response.bodySize) !== undefined || response.headers !== NO_HEADER_KNOWN;
    return isKnown ? response : undefined;
  }
}

/** A response. Members are read on demand, because usually only one is needed. */
class RecordResponse implements ResponseFacts {
  readonly #facts: RecordFacts;
  #headers: HeaderFacts | undefined;

  constructor(facts: RecordFacts) {
    this.#facts = facts;
  }

  get status(): number | undefined {
    return this.#facts.status;
  }

  get headers(): HeaderFacts {
    this.#headers ??= this.#facts.responseHeaders ?? NO_HEADER_KNOWN;
    return this.#headers;
  }

  get bodySize(): number | undefined {
    return this.#facts.responseSize;
  }
}

const ABSOLUTE = /^https?:\/\//i;
const NO_TLS: TlsFacts = { version: '', cipherSuite: '', serverName: '' };

function joinQuery(path: string, query: string | undefined): string {
  return query === undefined || query === '' ? path : `${path}?${query}`;
}

function targetOfUrl(url: string): string {
  const start = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : url.length;
  for (let at = start; at < url.length; at++) {
    const unit = url.charCodeAt(at);
    if (unit === SLASH) return withoutFragment(url.slice(at));
    if (unit === QUESTION_MARK || unit === HASH) break;
  }
  const target = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? '';
  return target.startsWith('/') ? target : `/${target}`;
}

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;

/** Removes the fragment: it is never sent, so something other than the client added it. */
function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

function hostHeader(headers: HeaderFacts | undefined): string | undefined {
  if (headers?.valuesOf !== undefined) return headers.valuesOf('host')?.[0];
  return headers?.fields.find(({ name }) => name.toLowerCase() === 'host')?.value;
}

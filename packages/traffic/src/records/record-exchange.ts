/** An exchange on top of a record of a log: combines what is recorded when it is asked for. */
import { ownValue } from '@tollgate/diagnostics';
import {
  type ConnectionFacts,
  type Exchange,
  type GeoFacts,
  type HeaderFacts,
  NO_HEADER_KNOWN,
  type RecordLocation,
  type ResponseFacts,
  type SkipReason,
  TLS_UNKNOWN,
  type TlsFacts,
  type TrafficBatch,
} from '../exchange/exchange.ts';
import { canonicalUrl, isAuthority } from '../exchange/request.ts';
import { type LogSource, readLog } from '../input/lines.ts';
import { authorityIn } from './field-values.ts';
import { HeadersWithHost, type RecordedHost, saysAnything, valuesIn } from './logged-headers.ts';

/** A log record as an exchange: recorded parts are combined on demand, and those that take long once. Null stands for one that was not read. */
export class RecordExchange implements Exchange, RecordedHost {
  readonly place: RecordLocation;
  readonly #facts: RecordFacts;
  #clientIp: string | undefined | null = null;
  #geo: GeoFacts | undefined | null = null;
  /** The one that the record has itself. */
  #recordedUrl: string | undefined | null = null;
  #targetAuthority: string | null | undefined;
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
    if (target !== undefined) return withPath(target);
    const { path, query } = this.#facts;
    if (path !== undefined && (query !== undefined || path.includes('?'))) return withPath(joinQuery(path, query));
    const url = this.#ownUrl();
    return url === undefined ? undefined : targetOfUrl(url);
  }

  get targetAuthority(): string | null {
    if (this.#targetAuthority === undefined) {
      const { targetAuthority } = this.#facts;
      this.#targetAuthority =
        targetAuthority === undefined ? (authorityIn(this.#facts.target, 'target') ?? null) : targetAuthority;
    }
    return this.#targetAuthority;
  }

  get host(): string | undefined {
    return this.#facts.host;
  }

  get isHostChanged(): boolean {
    return this.#facts.changesHost === true && this.targetAuthority !== null;
  }

  get url(): string | undefined {
    const url = this.#ownUrl();
    if (url !== undefined) return canonicalUrl(url);
    // Engines then need not know the target.
    if (this.isHostChanged && this.targetAuthority === '') return undefined;
    const target = this.target;
    if (target === undefined) return undefined;
    if (ABSOLUTE.test(target)) return canonicalUrl(target);
    const { scheme } = this;
    if (scheme === undefined || !target.startsWith('/') || this.isHostChanged) return undefined;
    const authority = this.#facts.host ?? valuesIn(this.#facts.requestHeaders ?? NO_HEADER_KNOWN, 'host')?.[0];
    if (authority === undefined || !isAuthority(authority)) return undefined;
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
    const { requestHeaders = NO_HEADER_KNOWN } = this.#facts;
    const saysNothing = requestHeaders === NO_HEADER_KNOWN && this.host === undefined;
    return saysNothing ? NO_HEADER_KNOWN : new HeadersWithHost(this, requestHeaders);
  }

  get verdicts(): Exchange['verdicts'] {
    return this.#facts.verdicts;
  }

  get response(): ResponseFacts | undefined {
    if (this.#response === null) this.#response = this.#readResponse();
    return this.#response;
  }

  #readResponse(): ResponseFacts | undefined {
    const response = new RecordResponse(this.#facts);
    const isKnown = (response.status ?? response.bodySize) !== undefined || saysAnything(response.headers);
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

/** An empty path is sent as a slash (RFC 9112, section 3.2.1). */
function withPath(target: string): string {
  return target === '' || target.startsWith('?') || target.startsWith('#') ? `/${target}` : target;
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

/** The fields of one log record, in the form of exchanges. What it does not contain is undefined. */
export interface RecordFacts {
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly time?: number | undefined;
  readonly clientIp?: string | undefined;
  readonly clientPort?: number | undefined;
  readonly serverIp?: string | undefined;
  readonly serverPort?: number | undefined;
  readonly geo?: GeoFacts | undefined;
  readonly method?: string | undefined;
  /** `http` or `https`. */
  readonly scheme?: string | undefined;
  /** The authority as the client sent it: the value of the Host header. */
  readonly host?: string | undefined;
  /** The host name in lower case and without its port, as servers log the one that they matched. */
  readonly hostName?: string | undefined;
  /** The request target as sent, instead of `path` and `query`. */
  readonly target?: string | undefined;
  /** See {@link Exchange.targetAuthority}. */
  readonly targetAuthority?: string | null | undefined;
  /**
   * Whether the server logs another host than that of the Host header if the target is a whole URL: Go logs the one of the URL, Apache changes
   * it to lower case, and HAProxy removes a default port.
   */
  readonly changesHost?: boolean | undefined;
  readonly path?: string | undefined;
  /** Without the question mark; empty if there is none. */
  readonly query?: string | undefined;
  /** Absolute, instead of scheme, host and target. */
  readonly url?: string | undefined;
  readonly protocol?: string | undefined;
  /** Empty for a connection without TLS. */
  readonly tlsVersion?: string | undefined;
  /** Its name by IANA or OpenSSL. */
  readonly tlsCipher?: string | undefined;
  readonly serverName?: string | undefined;
  readonly alpn?: string | undefined;
  readonly ja4?: string | undefined;
  readonly requestHeaders?: HeaderFacts | undefined;
  readonly verdicts?: Exchange['verdicts'];
  readonly status?: number | undefined;
  readonly responseHeaders?: HeaderFacts | undefined;
  readonly responseSize?: number | undefined;
}

/** Reads a log with one record per line. */
export function readRecords(
  source: LogSource,
  factsOf: (text: string) => RecordFacts | SkipReason,
): AsyncGenerator<TrafficBatch> {
  return readLog(source, (text, place) => {
    const facts = factsOf(text);
    return typeof facts === 'string' ? facts : new RecordExchange(place, facts);
  });
}

/** OpenSSL's prefixes of suite names, by key exchange and signature. */
const EXCHANGES: Readonly<Record<string, string>> = {
  'ECDHE-ECDSA-': 'ECDHE_ECDSA',
  'ECDHE-RSA-': 'ECDHE_RSA',
  'DHE-RSA-': 'DHE_RSA',
  'EDH-RSA-': 'DHE_RSA',
  'DHE-DSS-': 'DHE_DSS',
  'AECDH-': 'ECDH_anon',
  'ADH-': 'DH_anon',
};

const CHAINED = /^(AES|CAMELLIA)(128|256)-(SHA(?:256|384)?)$/;
const AUTHENTICATED = /^(AES|ARIA)(128|256)-(?:(GCM)-(SHA256|SHA384)|CCM(8?))$/;
const OTHERS: Readonly<Record<string, string>> = {
  'CHACHA20-POLY1305': 'CHACHA20_POLY1305_SHA256',
  'DES-CBC3-SHA': '3DES_EDE_CBC_SHA',
  'SEED-SHA': 'SEED_CBC_SHA',
  'RC4-SHA': 'RC4_128_SHA',
  'RC4-MD5': 'RC4_128_MD5',
};

/**
 * Returns the IANA name of a cipher suite, from that name or from OpenSSL's or BoringSSL's, which servers log: `ECDHE-RSA-AES128-GCM-SHA256`,
 * `AEAD-AES128-GCM-SHA256`. Undefined for other names; an empty string, which means none, stays.
 */
export function cipherSuiteIn(name: string | undefined): string | undefined {
  if (name === undefined || name === '' || name.startsWith('TLS_')) return name;
  const modern = /^AEAD-(AES128-GCM-SHA256|AES256-GCM-SHA384|CHACHA20-POLY1305)/.exec(name)?.[1];
  if (modern !== undefined) return `TLS_${cipherOf(modern)}`;
  const prefix = Object.keys(EXCHANGES).find(one => name.startsWith(one)) ?? '';
  const cipher = cipherOf(name.slice(prefix.length));
  return cipher === undefined ? undefined : `TLS_${ownValue(EXCHANGES, prefix) ?? 'RSA'}_WITH_${cipher}`;
}

function cipherOf(name: string): string | undefined {
  const chained = CHAINED.exec(name);
  if (chained !== null) return `${chained[1]}_${chained[2]}_CBC_${chained[3]}`;
  const match = AUTHENTICATED.exec(name);
  if (match === null) return ownValue(OTHERS, name);
  const [, kind, bits, gcm, hash, eight] = match;
  return gcm ? `${kind}_${bits}_GCM_${hash}` : `${kind}_${bits}_CCM${eight ? '_8' : ''}`;
}

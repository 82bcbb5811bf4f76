import type { GeoFacts } from './geo-facts.ts';
import type { RecordLocation } from './record-location.ts';

/**
 * One recorded request with its connection and, if known, its response. A field that the recording does not contain is `undefined`: unknown,
 * not empty.
 */
export interface Exchange {
  readonly place: RecordLocation;
  /** When the request arrived, in ms since 1970-01-01T00:00:00Z. */
  readonly time: number | undefined;
  /** The address of the connection's other end: an IPv4 or IPv6 string. */
  readonly clientIp: string | undefined;
  /** The location of that address. */
  readonly geo?: GeoFacts | undefined;
  readonly connection?: ConnectionFacts | undefined;
  readonly tls: TlsFacts;
  /** As sent; methods are case-sensitive. */
  readonly method: string | undefined;
  /** The request target as sent: usually path and query; an absolute URL from clients of a proxy; `*`. */
  readonly target: string | undefined;
  /** The absolute URL without fragment; undefined if scheme, Host header or target is not recorded. */
  readonly url: string | undefined;
  /** The scheme of the URL, `http` or `https`, also where the rest of the URL is not recorded. */
  readonly scheme?: string | undefined;
  /** The host of the URL in lower case and without its port, for recordings that have it instead of the Host header. */
  readonly hostName?: string | undefined;
  /** `HTTP/<major>.<minor>`, such as `HTTP/2.0`. */
  readonly protocol: string | undefined;
  readonly requestHeaders: HeaderFacts;
  readonly response: ResponseFacts | undefined;
}

/** The response of an exchange, as far as it is recorded. */
export interface ResponseFacts {
  readonly status: number | undefined;
  readonly headers: HeaderFacts;
  /** Bytes of the body as transferred. */
  readonly bodySize: number | undefined;
}

/** What is known about the headers of one message. */
export interface HeaderFacts {
  /** In the order and spelling of the recording; names may repeat. */
  readonly fields: readonly HeaderField[];
  /** Lower-case names of headers known to be absent, even though the recording is not complete. */
  readonly absent: readonly string[];
  /**
   * By lower-case name, what was recorded of headers that were sent either with this value or not at all: servers write a dash or nothing for a
   * header that was not sent. Not in `fields`.
   */
  readonly unclear?: UnclearHeaders;
  /** Every header was recorded: one that is not in `fields` was not sent, except for `withheld` and `unclear`. */
  readonly complete: boolean;
  /** The recording may contain every header; the setting `complete_headers`, off by default, says so. */
  readonly mayBeComplete?: boolean;
  /** Lower-case names of headers that were removed from a complete recording if they were sent. */
  readonly withheld: readonly string[];
  /**
   * Returns the values of the fields with a lower-case name, compared without regard to case; undefined if there are none. Present in
   * recordings that need not parse all fields to find one.
   */
  valuesOf?(lowerCase: string): string[] | undefined;
}

/** A map from lower-case names. */
export type UnclearHeaders = Pick<ReadonlyMap<string, string>, 'get' | typeof Symbol.iterator>;

/** The name and value of a header. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** What is known about the connection in addition to the client's address. The server is the one that accepted the connection. */
export interface ConnectionFacts {
  readonly clientPort?: number | undefined;
  /** An IPv4 or IPv6 string. */
  readonly serverIp?: string | undefined;
  readonly serverPort?: number | undefined;
  /** When it began, in ms since 1970-01-01T00:00:00Z. */
  readonly start?: number | undefined;
}

/** What is known about the client's TLS connection. An empty string means that the connection is known not to have it. */
export interface TlsFacts {
  /** `TLS 1.3` and so on. */
  readonly version: string | undefined;
  readonly cipherSuite: string | undefined;
  readonly serverName: string | undefined;
  /** Negotiated in the handshake: `h2`. */
  readonly alpn?: string | undefined;
  /** The JA4 fingerprint of the handshake. */
  readonly ja4?: string | undefined;
  /** The common name in the subject of the client's certificate. */
  readonly clientName?: string | undefined;
}

/** The headers of a recording that contains none. */
export const NO_HEADER_KNOWN: HeaderFacts = { fields: [], absent: [], complete: false, withheld: [] };

/** A connection about which nothing is recorded. */
export const TLS_UNKNOWN: TlsFacts = { version: undefined, cipherSuite: undefined, serverName: undefined };

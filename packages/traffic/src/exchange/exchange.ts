import type { GeoFacts } from './geo-facts.ts';
import type { Place } from './place.ts';

/**
 * One recorded request, with its connection facts and, where known, its response. A field that the recording does not
 * hold is `undefined`: it is unknown, not empty.
 */
export interface Exchange {
  readonly place: Place;
  /** When the request came in, in ms since 1970-01-01T00:00:00Z. */
  readonly time: number | undefined;
  /** The address at the other end of the connection, IPv4 or IPv6 text. */
  readonly clientIp: string | undefined;
  /** Where that address is. */
  readonly geo?: GeoFacts | undefined;
  readonly connection?: ConnectionFacts | undefined;
  readonly tls: TlsFacts;
  /** As sent; methods are case-sensitive. */
  readonly method: string | undefined;
  /** The request target as sent: nearly always path and query; an absolute URL from clients of a proxy; `*`. */
  readonly target: string | undefined;
  /** The absolute URL, without fragment; undefined where scheme or host are not recorded. */
  readonly url: string | undefined;
  /** `HTTP/<major>.<minor>`, so `HTTP/2.0`. */
  readonly protocol: string | undefined;
  readonly requestHeaders: HeaderFacts;
  readonly response: ResponseFacts | undefined;
}

/** The response of an exchange, so far as it is recorded. */
export interface ResponseFacts {
  readonly status: number | undefined;
  readonly headers: HeaderFacts;
  /** Bytes of the body as sent over the wire. */
  readonly bodySize: number | undefined;
}

/** What is known of the headers of one message. */
export interface HeaderFacts {
  /** In the order and spelling of the recording; a name may be repeated. */
  readonly fields: readonly HeaderField[];
  /** Lower-case names of headers that are known to be missing, though the recording is not complete. */
  readonly absent: readonly string[];
  /** Every header was recorded: one that is not in `fields` was not sent, but for `withheld`. */
  readonly complete: boolean;
  /** The recording may hold every header; whether it does is a setting, `complete_headers`, which is off. */
  readonly mayBeComplete?: boolean;
  /** Lower-case names of headers that were left out of a complete recording, if they were sent at all. */
  readonly withheld: readonly string[];
  /**
   * Of recordings that need not take all fields apart to find one: the values of the fields with this name, in small letters; undefined
   * when there are none. Names are compared without regard to case.
   */
  valuesOf?(lowerCase: string): string[] | undefined;
}

/** A header's name and value. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** What is known of the connection beside the client's address. The server is the one that took the connection. */
export interface ConnectionFacts {
  readonly clientPort?: number | undefined;
  /** IPv4 or IPv6 text. */
  readonly serverIp?: string | undefined;
  readonly serverPort?: number | undefined;
  /** When it began, in ms since 1970-01-01T00:00:00Z. */
  readonly start?: number | undefined;
}

/** What is known of the client's TLS connection. Empty text says that the connection is known not to have it. */
export interface TlsFacts {
  /** `TLS 1.3` and so on. */
  readonly version: string | undefined;
  readonly cipherSuite: string | undefined;
  readonly serverName: string | undefined;
  /** Agreed upon in the handshake: `h2`. */
  readonly alpn?: string | undefined;
  /** The JA4 fingerprint of the handshake. */
  readonly ja4?: string | undefined;
  /** Common name in the subject of the client's certificate. */
  readonly clientName?: string | undefined;
}

/** Headers of a recording that holds none. */
export const NO_HEADER_KNOWN: HeaderFacts = { fields: [], absent: [], complete: false, withheld: [] };

/** A connection of which nothing is recorded. */
export const TLS_UNKNOWN: TlsFacts = { version: undefined, cipherSuite: undefined, serverName: undefined };

import type { HeaderFacts } from '../exchange/exchange.ts';
import type { GeoFacts } from '../exchange/geo-facts.ts';

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
  readonly status?: number | undefined;
  readonly responseHeaders?: HeaderFacts | undefined;
  readonly responseSize?: number | undefined;
}

import { isIP } from 'node:net';
import { testExchange } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { OptionError } from './errors.ts';

/** Headers by name; null for a header that is not sent. */
export type Headers = Readonly<Record<string, string | readonly string[] | null>>;

/** A request, as much of it as is known. What is left out, other than headers, is unknown to the policy. */
export interface TrafficRequest {
  /** `GET` by default. */
  readonly method?: string;
  /** Absolute, or a path with its query if scheme and host are unknown. */
  readonly url: string;
  readonly headers?: Headers;
  /** False if other headers than the given ones may have been sent; true by default. */
  readonly hasAllHeaders?: boolean;
  /** IPv4 or IPv6 address. */
  readonly clientAddress?: string;
  /** ISO 3166-1 alpha-2 code of the client's country, such as `DE`. */
  readonly country?: string;
  /** Such as `HTTP/1.1`. */
  readonly protocol?: string;
  /** Such as `TLS 1.3`. */
  readonly tlsVersion?: string;
  readonly time?: Date;
  /** The response of the upstream, if known. */
  readonly response?: { readonly status?: number; readonly headers?: Headers };
}

/** Returns the exchange with a request. Throws an {@link OptionError} for an invalid URL or address. */
export function exchangeFor(request: TrafficRequest, number: number): Exchange {
  const { method = 'GET', url, headers = {}, hasAllHeaders = true, clientAddress, country } = request;
  if (clientAddress !== undefined && isIP(clientAddress) === 0)
    throw new OptionError(`\`clientAddress\` expects an IP address, found \`${clientAddress}\``);
  const host = hostOf(url);
  const named = new Set(Object.keys(headers).map(name => name.toLowerCase()));
  const sent = host === undefined || named.has('host') ? headers : { Host: host, ...headers };
  const { protocol, tlsVersion, time, response } = request;
  const exchange = testExchange(
    {
      ...(time && { now: time.toISOString() }),
      connection: {
        ...(clientAddress !== undefined && { client_ip: clientAddress }),
        ...(tlsVersion !== undefined && { tls: { version: tlsVersion } }),
      },
      request: { method, url, headers: sent, no_other_headers: hasAllHeaders, ...(protocol && { protocol }) },
      ...(response && { response: { ...response, no_other_headers: hasAllHeaders } }),
    },
    { file: 'request', number, unit: 'entry' },
  );
  return country === undefined ? exchange : { ...exchange, geo: { ...exchange.geo, countryCode: country } };
}

/** Returns the host of an absolute URL, and undefined for a path. */
function hostOf(url: string): string | undefined {
  if (url.startsWith('/')) return undefined;
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url).host;
  throw new OptionError(`\`url\` expects a URL such as \`https://example.com/a\`, or a path, found \`${url}\``);
}

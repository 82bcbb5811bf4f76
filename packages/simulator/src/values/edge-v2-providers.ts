import { Unknown } from '@tollgate/cel';
import { requestCookies, responseCookies } from '../message/cookies.ts';
import { firstHeader, type HeaderMap, headerValues } from '../message/header-map.ts';
import { queryParams } from '../url/query-params.ts';
import { decodedPath, splitUrl } from '../url/split-url.ts';
import type { Known, TrafficState } from './traffic-state.ts';

/** Gives the value of a variable, as it stands in an activation. */
export type Provide = (state: TrafficState) => unknown;

/** By the variable's path in the catalog. What recordings never hold is unknown under its own name. */
export const PROVIDERS: Readonly<Record<string, Provide>> = {
  'conn.ClientIP': state => state.clientIp,
  ...notRecorded('conn.Geo.CountryCode', 'conn.Geo.Latitude', 'conn.Geo.Longitude', 'conn.Geo.LatLongRadiusKm'),
  ...tlsProviders('conn.TLS'),
  ...tlsProviders('req.ClientTLS'),
  'req.ContentLength': requestLength,
  'req.Cookies': state => cookiesOf(state.request.headers, 'Cookie'),
  'req.Headers': state => state.request.headers,
  'req.Host': state => state.request.host,
  'req.Location': state => firstHeader(state.request.headers, 'Location') ?? '',
  'req.Method': state => state.request.method,
  'req.Params': state => mapKnown(state.request.target, target => queryParams(splitUrl(target).query ?? '')),
  'req.Path': state => mapKnown(state.request.target, target => decodedPath(splitUrl(target))),
  'req.Protocol': state => state.request.protocol,
  'req.URL': state => state.request.url,
  'res.ContentLength': state => lengthOf(state.response.headers) ?? -1,
  'res.Cookies': state => cookiesOf(state.response.headers, 'Set-Cookie'),
  'res.Headers': state => state.response.headers,
  'res.Location': state => firstHeader(state.response.headers, 'Location') ?? '',
  'res.StatusCode': state => mapKnown(state.response.status, String),
  ...notRecorded('req.Trailers', 'res.Trailers'),
  ...notRecorded('res.ServerTLS.CertCN', 'res.ServerTLS.CipherSuite', 'res.ServerTLS.SNI', 'res.ServerTLS.Version'),
};

function notRecorded(...paths: readonly string[]): Record<string, Provide> {
  return Object.fromEntries(
    paths.map(path => {
      const unknown = new Unknown([path]);
      return [path, () => unknown];
    }),
  );
}

function tlsProviders(path: string): Record<string, Provide> {
  const known = { CipherSuite: 'cipherSuite', SNI: 'serverName', Version: 'version' } as const;
  const providers = Object.entries(known).map(([name, field]): [string, Provide] => {
    const unknown = new Unknown([`${path}.${name}`]);
    return [`${path}.${name}`, state => state.tls[field] ?? unknown];
  });
  return { ...notRecorded(`${path}.CertCN`), ...Object.fromEntries(providers) };
}

function mapKnown<T, U>(value: Known<T>, map: (value: T) => U): Known<U> {
  return value instanceof Unknown ? value : map(value);
}

/** Without a header of its own a message of HTTP/2 may still have a body: that is not recorded. */
function requestLength(state: TrafficState): unknown {
  const { headers, method, protocol } = state.request;
  const length = lengthOf(headers);
  if (length !== undefined) return length;
  if (headerValues(headers, 'Transfer-Encoding') !== undefined) return -1;
  const hasNoBody =
    method === 'GET' || method === 'HEAD' || (typeof protocol === 'string' && /^HTTP\/[01]/.test(protocol));
  return hasNoBody ? 0 : new Unknown(['req.ContentLength']);
}

function lengthOf(headers: HeaderMap): number | Unknown | undefined {
  const written = firstHeader(headers, 'Content-Length');
  if (written instanceof Unknown) return written;
  return written !== undefined && /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}

function cookiesOf(headers: HeaderMap, name: 'Cookie' | 'Set-Cookie'): unknown {
  const values = headerValues(headers, name);
  if (values instanceof Unknown) return values;
  const texts: string[] = [];
  for (const value of values ?? []) {
    if (value instanceof Unknown) return value;
    texts.push(value);
  }
  return name === 'Cookie' ? requestCookies(texts) : responseCookies(texts);
}

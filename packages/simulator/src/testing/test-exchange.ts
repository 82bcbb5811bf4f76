/** The exchange that a policy test describes. */
import type { TestLocation, TestMessage, WrittenExchange } from '@tollgate/policy';
import {
  canonicalUrl,
  type Exchange,
  type GeoFacts,
  type HeaderFacts,
  normalizeAddress,
  type RecordLocation,
} from '@tollgate/traffic';
import { splitUrl, targetOf } from '../exchange-state/url.ts';

/** Returns the exchange that a test describes. Everything else is unknown. */
export function testExchange(written: WrittenExchange, place: RecordLocation): Exchange {
  const { connection, request, response, now, variables } = written;
  const { tls, geo, client_ip: address } = connection ?? {};
  const url = request?.url;
  const parts = url === undefined ? undefined : splitUrl(url);
  return {
    place,
    time: now === undefined ? undefined : Date.parse(now),
    clientIp: address === undefined ? undefined : (normalizeAddress(address) ?? address),
    tls: {
      version: tls?.version,
      cipherSuite: tls?.cipher_suite,
      serverName: tls?.server_name,
      clientName: tls?.client_name,
      alpn: tls?.alpn,
      ja4: tls?.ja4,
    },
    ...(geo && { geo: geoFacts(geo) }),
    method: request?.method,
    target: parts && (targetOf(parts).startsWith('/') ? targetOf(parts) : `/${targetOf(parts)}`),
    url: parts && parts.scheme !== '' ? canonicalUrl(url!) : undefined,
    protocol: request?.protocol,
    requestHeaders: headerFacts(request),
    response: response && { status: response.status, headers: headerFacts(response), bodySize: undefined },
    ...(variables && { stated: variables }),
  };
}

function geoFacts(geo: TestLocation): GeoFacts {
  return {
    countryCode: geo.country_code,
    country: geo.country,
    continent: geo.continent,
    subdivision: geo.subdivision,
    city: geo.city,
    postalCode: geo.postal_code,
    timeZone: geo.time_zone,
    latitude: geo.latitude,
    longitude: geo.longitude,
    asNumber: geo.as_number,
    asOrganization: geo.as_organization,
  };
}

function headerFacts({ headers = {}, no_other_headers: complete = false }: TestMessage = {}): HeaderFacts {
  const entries = Object.entries(headers);
  const fields = entries.flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : (value ?? [])).map(one => ({ name, value: one })),
  );
  const absent = entries.flatMap(([name, value]) => (value === null ? [name.toLowerCase()] : []));
  return { fields, absent, complete, withheld: [] };
}

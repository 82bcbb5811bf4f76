/** An exchange as a record: what `json-lines.ts` reads. */
import type { Exchange, HeaderFacts } from '../exchange/exchange.ts';

/** Returns an exchange as a record in the JSON Lines format of Tollgate, without unknown fields. */
export function exchangeRecord(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { time, clientIp, connection, tls, method, url, target, protocol, geo, requestHeaders, response } = exchange;
  const parts = url === undefined ? { scheme: exchange.scheme, host_name: exchange.hostName } : {};
  const record = {
    time: time === undefined ? undefined : new Date(time).toISOString(),
    client_ip: clientIp,
    client_port: connection?.clientPort,
    server_ip: connection?.serverIp,
    server_port: connection?.serverPort,
    method,
    url,
    ...parts,
    target,
    protocol,
    tls_version: tls.version,
    tls_cipher: tls.cipherSuite,
    server_name: tls.serverName,
    alpn: tls.alpn,
    ja4: tls.ja4,
    request_headers: headersRecord(requestHeaders),
    status: response?.status,
    response_headers: response && headersRecord(response.headers),
    response_size: response?.bodySize,
    country: geo?.countryCode ?? geo?.country,
    continent: geo?.continent,
    region: geo?.subdivision,
    city: geo?.city,
    postal_code: geo?.postalCode,
    time_zone: geo?.timeZone,
    latitude: geo?.latitude,
    longitude: geo?.longitude,
    asn: geo?.asNumber,
    as_organization: geo?.asOrganization,
  };
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Returns lists of values by header name; null for a header that is known to be missing, and what was recorded of one that may be. */
function headersRecord({ fields, absent, unclear }: HeaderFacts): object {
  // In order, however each is spelled.
  const values = Map.groupBy(fields, ({ name }) => name.toLowerCase());
  return Object.fromEntries([
    ...absent.map(name => [name, null] as const),
    ...(unclear ?? []),
    ...[...values.values()].map(all => [all[0]!.name, all.map(({ value }) => value)] as const),
  ]);
}

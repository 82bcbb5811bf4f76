// What JSON reports share: the form of an exchange, and of the documentation of members.

import { escapedControls } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { Exchange, HeaderFacts } from '@tollgate/traffic';

/** A member of a JSON report. */
export interface JsonMember {
  /** Path of the member; `[]` stands for each item of a list, `{}` for each value of a map. */
  readonly path: string;
  readonly doc: string;
}

/** Returns an exchange as a record in the JSON Lines format of Tollgate, without unknown fields. */
export function exchangeRecord(exchange: Exchange): object {
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
  const values = Map.groupBy(fields, ({ name }) => name);
  return Object.fromEntries([
    ...absent.map(name => [name, null] as const),
    ...(unclear ?? []),
    ...[...values].map(([name, all]) => [name, all.map(({ value }) => value)] as const),
  ]);
}

/** Returns a rule as reports name it. */
export function ruleRecord({ phase, index, name }: Rule): object {
  return { phase, number: index + 1, ...(name && { name: name.value }) };
}

/** Returns JSON with lists of numbers on one line. */
export function figuresJson(document: object): string {
  return `${indented(document, '')}\n`;
}

function indented(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every(item => typeof item === 'number')) return `[${value.join(', ')}]`;
    const items = value.map(item => inner + indented(item, inner));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'null' : escapedControls(JSON.stringify(value));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{}';
  const lines = fields.map(
    ([key, field]) => `${inner}${escapedControls(JSON.stringify(key))}: ${indented(field, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

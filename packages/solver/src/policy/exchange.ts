// Exchanges from the values of cells, what is ordinary about them, and how people read them.

import type { ValueRole } from '@tollgate/catalog';
import type { Exchange, GeoFacts, HeaderField } from '@tollgate/traffic';
import { type Cell, type CellValue, MAP_SIZE, type RecordValue } from '../theory/vocabulary.ts';

/** What an ordinary exchange has. */
const USUAL = {
  protocol: 'HTTP/1.1',
  tlsVersion: 'TLS 1.3',
  cipherSuite: 'TLS_AES_128_GCM_SHA256',
  time: Date.UTC(2026, 0, 1),
} as const;

/** The independent parts of an exchange; everything else follows from them. */
export interface Parts {
  method: string;
  scheme: string;
  host: string;
  /** As sent. */
  path: string;
  url: string | undefined;
  query: string | undefined;
  readonly parameters: [name: string, value: string][];
  readonly headers: HeaderField[];
  /** `name=value` */
  readonly cookies: string[];
  readonly responseHeaders: HeaderField[];
  clientIp: string;
  status: number;
  protocol: string;
  tlsVersion: string;
  /** Of the TLS connection. */
  readonly names: Partial<Record<TlsName, string>>;
  time: number;
  readonly geo: Record<string, string>;
}

type TlsName = 'cipherSuite' | 'serverName' | 'clientName' | 'alpn' | 'ja4';

/**
 * Returns well-formed exchanges that may have these values. Cells that are no part of an exchange, and values after a change, are left out.
 * The URL is a value of its own: if there are also values of its parts, the first exchange has those and the scheme of the URL, and the
 * second one has the URL.
 */
export function exchangesWith(values: ReadonlyMap<Cell, CellValue>): readonly [Exchange, ...Exchange[]] {
  const parts = ordinaryParts();
  const own = [...values].filter(([cell]) => cell.version === '');
  for (const [cell, value] of own) set(parts, cell, value);
  const whole = exchangeOf(parts);
  const { url } = parts;
  if (url === undefined || !own.some(([{ role }]) => role !== undefined && PARTS_OF_URL.has(role))) return [whole];
  return [exchangeOf({ ...parts, url: undefined, scheme: url.startsWith('http:') ? 'http' : 'https' }), whole];
}

/** Returns the parts of an ordinary exchange. */
export function ordinaryParts(): Parts {
  return {
    method: 'GET',
    scheme: 'https',
    host: 'example.com',
    path: '/',
    url: undefined,
    query: undefined,
    parameters: [],
    headers: [],
    cookies: [],
    responseHeaders: [],
    clientIp: '198.51.100.7',
    status: 200,
    protocol: USUAL.protocol,
    tlsVersion: USUAL.tlsVersion,
    time: USUAL.time,
    geo: {},
    names: {},
  };
}

const PARTS_OF_URL: ReadonlySet<ValueRole> = new Set(['scheme', 'host', 'path', 'query', 'query-parameters']);

function set(parts: Parts, { role, steps }: Cell, value: CellValue): void {
  const name = String(steps.at(-1));
  if (name === MAP_SIZE) fill(parts, role, value as bigint);
  else if (Array.isArray(value)) setList(parts, role, name, value as readonly (string | RecordValue)[]);
  else if (role !== undefined && role !== 'numeric-string') setByRole(parts, role, String(value));
  else if (!setTlsName(parts, steps, value)) setByName(parts, name, value);
}

/** Adds entries to a map until it has this many, with what others add. */
function fill(parts: Parts, role: Cell['role'], size: bigint): void {
  for (let at = 1; at < Math.min(Number(size), MAX_ENTRIES) + 1; at++) {
    if (role === 'query-parameters' && at > parts.parameters.length) parts.parameters.push([`a${at}`, '1']);
    // The host is a header, too.
    if (role === 'request-headers' && at > parts.headers.length + 1)
      parts.headers.push({ name: `X-A${at}`, value: '1' });
  }
}

const MAX_ENTRIES = 20;

function setList(parts: Parts, role: Cell['role'], name: string, values: readonly (string | RecordValue)[]): void {
  for (const value of values) {
    if (typeof value === 'object') {
      setCookie(parts, role, name, value.fields);
      continue;
    }
    if (role === 'request-headers') parts.headers.push({ name, value });
    if (role === 'response-headers') parts.responseHeaders.push({ name, value });
    if (role === 'query-parameters') parts.parameters.push([name, value]);
  }
}

/**
 * @param key the key of the list that it is in: its name, if that is not a field of its own
 */
function setCookie(parts: Parts, role: Cell['role'], key: string, fields: RecordValue['fields']): void {
  const named = new Map([...fields].map(([name, value]) => [name.toLowerCase().replaceAll('_', ''), String(value)]));
  const name = named.get('name') ?? (key.toLowerCase() === 'cookies' ? 'a' : key);
  const pair = `${name}=${named.get('value') ?? '1'}`;
  if (role === 'request-cookies') parts.cookies.push(pair);
  if (role !== 'response-cookies') return;
  const attributes = Object.entries(COOKIE_ATTRIBUTES).flatMap(([field, attribute]) => {
    const value = named.get(field);
    if (value === undefined || value === 'false') return [];
    return value === 'true' ? [attribute] : [`${attribute}=${value}`];
  });
  parts.responseHeaders.push({ name: 'Set-Cookie', value: [pair, ...attributes].join('; ') });
}

const COOKIE_ATTRIBUTES: Readonly<Record<string, string>> = {
  path: 'Path',
  domain: 'Domain',
  secure: 'Secure',
  httponly: 'HttpOnly',
  samesite: 'SameSite',
};

function setByRole(parts: Parts, role: NonNullable<Cell['role']>, value: string): void {
  switch (role) {
    case 'method':
      parts.method = value;
      return;
    case 'scheme':
      parts.scheme = value;
      return;
    case 'host':
      parts.host = value;
      return;
    case 'path':
      parts.path = encodedPath(value);
      return;
    case 'url':
      parts.url = value;
      return;
    case 'query':
      parts.query = value;
      return;
    case 'client-address':
      parts.clientIp = value;
      return;
    case 'status':
      parts.status = Number(value);
      return;
    case 'country-code':
      parts.geo.countryCode = value;
      return;
    case 'user-agent':
      parts.headers.push({ name: 'User-Agent', value });
      return;
    case 'tls-version':
      parts.tlsVersion = value.replace(/^tls ?v?/i, 'TLS ');
      return;
    default:
  }
}

/** Returns true if the steps lead to a name of the client's TLS connection. */
function setTlsName({ names }: Parts, steps: Cell['steps'], value: CellValue): boolean {
  const field = TLS_NAMES.get(steps.join('.'));
  if (field !== undefined) names[field] = String(value);
  return field !== undefined;
}

const TLS_NAMES: ReadonlyMap<string, TlsName> = new Map([
  ...['conn.TLS', 'req.ClientTLS'].flatMap((path): [string, TlsName][] => [
    [`${path}.CertCN`, 'clientName'],
    [`${path}.SNI`, 'serverName'],
    [`${path}.CipherSuite`, 'cipherSuite'],
  ]),
  ['conn.tls.client.subject.common_name', 'clientName'],
  ['conn.tls.sni', 'serverName'],
  ['conn.tls.cipher_suite', 'cipherSuite'],
  ['conn.tls.negotiated_alpn', 'alpn'],
  ['conn.tls.ja4_fingerprint', 'ja4'],
]);

function setByName(parts: Parts, name: string, value: CellValue): void {
  switch (name) {
    case 'ContentLength':
    case 'content_length':
      if (typeof value === 'bigint' && value >= 0n) parts.headers.push({ name: 'Content-Length', value: `${value}` });
      return;
    case 'Protocol':
    case 'version':
      parts.protocol = String(value);
      return;
    case 'raw_path':
      parts.path = String(value);
      return;
    case 'now':
    case 'header_received':
    case 'start':
    case 'start_ts':
      if (typeof value === 'bigint') parts.time = Number(value / 1_000_000n);
      return;
    default: {
      const fact = GEO_FACTS[name];
      if (fact !== undefined) parts.geo[fact] = String(value);
    }
  }
}

const GEO_FACTS: Readonly<Record<string, keyof GeoFacts>> = {
  Latitude: 'latitude',
  Longitude: 'longitude',
  LatLongRadiusKm: 'radius',
  latitude: 'latitude',
  longitude: 'longitude',
  city: 'city',
  country: 'country',
  country_code: 'countryCode',
  continent: 'continent',
  subdivision: 'subdivision',
};

/** Returns the path as sent; decoding it gives the path. */
function encodedPath(path: string): string {
  return path.replace(/[^\w.~!$&'()*+,;=:@/-]+/g, characters =>
    encodeURIComponent(characters).replace(/['()*!~]/g, one => `%${one.charCodeAt(0).toString(16)}`),
  );
}

/** Returns the exchange that has these parts. */
export function exchangeOf(parts: Parts): Exchange {
  const { method, scheme, clientIp, protocol, status, tlsVersion, names, time, geo } = parts;
  const facts = { absent: [], complete: true, withheld: [] };
  const { host, target } = locationOf(parts);
  return {
    place: { file: 'example', number: 1, unit: 'entry' },
    time,
    tls: { version: tlsVersion, cipherSuite: USUAL.cipherSuite, serverName: host, clientName: '', ...names },
    connection: { start: time, clientPort: 50_000, serverIp: '192.0.2.1', serverPort: 443 },
    geo: { ...NO_PLACE, ...geo },
    method,
    target,
    clientIp,
    protocol,
    // A path such as `*` is no part of a URL: it would continue the host.
    url: parts.url ?? (target.startsWith('/') ? `${scheme}://${host}${target}` : undefined),
    requestHeaders: { ...facts, fields: [{ name: 'Host', value: host }, ...parts.headers, ...cookieFields(parts)] },
    response: { status, bodySize: 0, headers: { ...facts, fields: parts.responseHeaders } },
  };
}

function cookieFields({ cookies }: Parts): readonly HeaderField[] {
  return cookies.length === 0 ? [] : [{ name: 'Cookie', value: cookies.join('; ') }];
}

const NO_PLACE: GeoFacts = {
  countryCode: '',
  country: '',
  continent: '',
  subdivision: '',
  city: '',
  postalCode: '',
  metroCode: '',
  timeZone: '',
  latitude: '',
  longitude: '',
  radius: '',
  isInEu: false,
  registeredCountryCode: '',
  registeredCountry: '',
  isRegisteredInEu: false,
  asOrganization: '',
};

function locationOf({ url, host, path, query, parameters }: Parts): { readonly host: string; readonly target: string } {
  const [, authority, rest] = /^https?:\/\/([^/]*)(.*)$/s.exec(url ?? '') ?? [];
  if (authority !== undefined && rest !== undefined) return { host: authority, target: rest };
  const encoded = parameters.length > 0 ? `${new URLSearchParams(parameters)}` : undefined;
  const search = query ?? encoded;
  return { host, target: search === undefined ? path : `${path}?${search}` };
}

/** Returns the parts of an exchange that was put together from parts. */
export function partsOf(exchange: Exchange): Parts {
  const { method, clientIp, url, target = '/', tls, time, geo, protocol, response, requestHeaders } = exchange;
  const [host, ...fields] = requestHeaders.fields;
  const end = target.indexOf('?');
  const scheme = url?.startsWith('http:') === true ? 'http' : 'https';
  const parts = {
    ...ordinaryParts(),
    ...{ method: method ?? 'GET', scheme, host: host?.value ?? '', clientIp: clientIp ?? USUAL_ADDRESS },
    path: end < 0 ? target : target.slice(0, end),
    query: end < 0 ? undefined : target.slice(end + 1),
    headers: fields.filter(({ name }) => name !== 'Cookie'),
    cookies: fields.flatMap(({ name, value }) => (name === 'Cookie' ? value.split('; ') : [])),
    responseHeaders: [...(response?.headers.fields ?? [])],
    ...{ status: response?.status ?? 200, protocol: protocol ?? USUAL.protocol, time: time ?? USUAL.time },
    tlsVersion: tls?.version ?? USUAL.tlsVersion,
    names: tlsNames(exchange, host?.value),
    geo: Object.fromEntries(Object.entries(geo ?? {}).filter(([, value]) => typeof value === 'string' && value !== '')),
  };
  return exchangeOf(parts).url === url ? parts : { ...parts, url };
}

function tlsNames({ tls }: Exchange, host: string | undefined): Parts['names'] {
  const found: Partial<Record<TlsName, string>> = {};
  for (const name of new Set(TLS_NAMES.values())) {
    const value = tls?.[name];
    if (value !== undefined && !(name === 'serverName' && value === host)) found[name] = value;
  }
  return found;
}

/** Returns the parts of an exchange that people need: `GET https://example.com/ from 198.51.100.7 with \`X: 1\``. */
export function exchangeText(exchange: Exchange): string {
  const { method, target, clientIp, requestHeaders, response, geo, url = target } = exchange;
  const headers = shown(requestHeaders.fields.slice(1));
  const answer = [response?.status === 200 ? [] : [String(response?.status)], shown(response?.headers.fields ?? [])];
  const country = geo?.countryCode ? ` in ${geo.countryCode}` : '';
  const unusual = unusualParts(exchange);
  const connection = unusual.length === 0 ? '' : ` (${unusual.join(', ')})`;
  const sent = headers.length === 0 ? '' : ` with ${headers.join(', ')}`;
  const received = answer.flat().length === 0 ? '' : `, answered with ${answer.flat().join(', ')}`;
  return `${method} ${url} from ${clientIp}${country}${connection}${sent}${received}`;
}

/** Returns what is not ordinary about the connection and the time. */
function unusualParts({ tls, requestHeaders, protocol, time }: Exchange): readonly string[] {
  const parts: readonly (readonly [name: string, value: string | undefined, usual: string | undefined])[] = [
    ['SNI', tls?.serverName, requestHeaders.fields[0]?.value],
    ['client certificate', tls?.clientName, ''],
    ['version', tls?.version, USUAL.tlsVersion],
    ['cipher suite', tls?.cipherSuite, USUAL.cipherSuite],
    ['ALPN', tls?.alpn, ''],
    ['JA4', tls?.ja4, ''],
    ['protocol', protocol, USUAL.protocol],
    ['time', timeText(time), timeText(USUAL.time)],
  ];
  return parts.flatMap(([name, value, usual]) =>
    value === undefined || value === usual ? [] : [`${name} \`${value}\``],
  );
}

function timeText(time: number | undefined): string | undefined {
  return time === undefined || Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time).toISOString();
}

function shown(fields: readonly HeaderField[]): readonly string[] {
  return fields.map(({ name, value }) => `\`${name}: ${value}\``);
}

/** Returns the exchange with as many parts as possible left out or ordinary while it stays what it is wanted for. */
export function simplifyExchange(exchange: Exchange, isWanted: (exchange: Exchange) => boolean): Exchange {
  let current = exchange;
  const attempt = (changed: Exchange) => {
    if (isWanted(changed)) current = changed;
  };
  if (current.method !== 'GET') attempt({ ...current, method: 'GET' });
  if (current.clientIp !== USUAL_ADDRESS) attempt({ ...current, clientIp: USUAL_ADDRESS });
  const host = current.requestHeaders.fields[0]!.value;
  const [path] = (current.target ?? '').split('?');
  for (const target of ['/', path!]) {
    if (target !== current.target) attempt({ ...current, target, url: `https://${host}${target}` });
  }
  for (const field of current.requestHeaders.fields.slice(1)) {
    const fields = current.requestHeaders.fields.filter(other => other !== field);
    attempt({ ...current, requestHeaders: { ...current.requestHeaders, fields } });
  }
  const { response } = current;
  if (response !== undefined) {
    attempt({ ...current, response: { ...response, status: 200, headers: { ...response.headers, fields: [] } } });
    if (response.status !== 200) attempt({ ...current, response: { ...response, status: 200 } });
  }
  return current;
}

const USUAL_ADDRESS = '198.51.100.7';

/** How each variable of the catalog is read from the state of an exchange. */
import type { Profile } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import { type GeoFacts, normalizeAddress, queryParams } from '@tollgate/traffic';
import {
  requestCookies,
  requestCookiesByName,
  responseCookies,
  responseCookiesByName,
} from '../exchange-state/cookies.ts';
import { CAPITALISED, type Dialect, type HeaderName, SNAKE_CASE } from '../exchange-state/dialect.ts';
import { readMediaType } from '../exchange-state/headers.ts';
import { firstIn, valuesIn } from '../exchange-state/recorded-state.ts';
import {
  clientIpOf,
  type Known,
  type RequestState,
  type ResponseState,
  type TrafficState,
  timeOf,
} from '../exchange-state/traffic-state.ts';
import { decodedPathIn, portOf, splitUrl, targetOf, type UrlParts } from '../exchange-state/url.ts';

/** Returns the value of a variable as it appears in an activation; undefined if it is absent. */
export type VariableReader = (state: TrafficState) => unknown;

/** VariableReaders by the variable's path in the catalog. */
type VariableReaders = Readonly<Record<string, VariableReader>>;

/** An entry of {@link VariableReaders} for a value that only some recordings contain: otherwise unknown, under its own name. */
function ifRecorded(path: string, pick: VariableReader): [path: string, reader: VariableReader] {
  const unknown = new Unknown([path]);
  return [path, state => pick(state) ?? unknown];
}

/** Entries for values that no recording contains: unknown under their own names. */
function notRecorded(...paths: readonly string[]): VariableReaders {
  return Object.fromEntries(paths.map(path => [path, constant(new Unknown([path]))]));
}

/** Entries for values that no recording contains, and that traffic may lack. */
function maybeAbsent(...paths: readonly string[]): VariableReaders {
  return Object.fromEntries(paths.map(path => [path, constant(new UnknownPresence([path]))]));
}

function constant(value: Unknown): VariableReader {
  return () => value;
}

/** Applies `map` to a value unless it is unknown. */
export function mapKnown<T, U>(value: Known<T>, map: (value: T) => U): Known<U> {
  return value instanceof Unknown ? value : map(value);
}

const MAPS: ReadonlyMap<string, (key: string) => VariableReader> = new Map(
  [CAPITALISED, SNAKE_CASE].flatMap(dialect => [
    [dialect.names.requestHeaders, requestHeader(dialect)] as const,
    [dialect.names.responseHeaders, responseHeader(dialect)] as const,
  ]),
);

function requestHeader(dialect: Dialect): (key: string) => VariableReader {
  return key => {
    const name = dialect.requestHeader(key);
    return state => valuesIn(state.request, name);
  };
}

function responseHeader(dialect: Dialect): (key: string) => VariableReader {
  return key => {
    const name = dialect.responseHeader(key);
    return state => valuesIn(state.response, name);
  };
}

/** Returns whether the variable is a map of headers. */
export function isHeaderMap(path: string): boolean {
  return MAPS.has(path);
}

/** Provides single headers instead of the whole map; absent ones are undefined. */
export function headerMapReader(path: string, keys: readonly string[]): Readonly<Record<string, VariableReader>> {
  const reader = MAPS.get(path)!;
  return Object.fromEntries(keys.map(key => [key, reader(key)]));
}

type Message = RequestState | ResponseState;

/** Returns the length of the request body; undefined if it is not declared. */
export function requestLength({ request, dialect }: TrafficState): Known<number> | undefined {
  const { method, protocol } = request;
  const length = lengthOf(request, dialect.requestLength);
  if (length !== undefined) return length;
  const encoded = valuesIn(request, dialect.requestEncoding);
  if (encoded instanceof Unknown) return encoded;
  if (encoded !== undefined) return undefined;
  // An HTTP/2 message may have a body without declaring it, which recordings do not show.
  const hasNoBody =
    method === 'GET' || method === 'HEAD' || (typeof protocol === 'string' && /^HTTP\/[01]/.test(protocol));
  return hasNoBody ? 0 : dialect.unknown.requestLength;
}

/** Returns the length of the response body; undefined if it is not declared. */
function responseLength({ response, dialect }: TrafficState): Known<number> | undefined {
  return lengthOf(response, dialect.responseLength);
}

function lengthOf(message: Message, name: HeaderName): Known<number> | undefined {
  const written = firstIn(message, name);
  if (written instanceof Unknown) return written;
  return written !== undefined && /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}

/** Returns all values of a header; none if it is absent. */
export function stringsOf(message: Message, name: HeaderName): Known<readonly string[]> {
  const values = valuesIn(message, name);
  if (values instanceof Unknown) return values;
  const texts: string[] = [];
  for (const value of values ?? []) {
    if (value instanceof Unknown) return value;
    texts.push(value);
  }
  return texts;
}

type Rows = Readonly<Record<string, (state: TrafficState) => unknown>>;

const startOf: Rows[string] = ({ exchange }) => {
  const start = exchange.connection?.start;
  return start === undefined ? undefined : new Date(start);
};

const RECORDED: Rows = {
  'conn.client_port': ({ exchange }) => exchange.connection?.clientPort,
  'conn.server_ip': ({ exchange }) => {
    const address = exchange.connection?.serverIp;
    return address === undefined ? undefined : normalizeAddress(address);
  },
  'conn.server_port': ({ exchange }) => exchange.connection?.serverPort,
  'conn.ts.start': startOf,
  'conn.start_ts': startOf,
  'conn.tls.cipher_suite': ({ exchange }) => exchange.tls.cipherSuite,
  'conn.tls.sni': ({ exchange }) => exchange.tls.serverName,
  'conn.tls.version': ({ exchange }) => exchange.tls.version,
  'conn.tls.ja4_fingerprint': ({ exchange }) => exchange.tls.ja4,
  'conn.tls.negotiated_alpn': ({ exchange }) => exchange.tls.alpn,
};

const CLIENT_NAME = 'conn.tls.client.subject.common_name';
const NO_NAME_RECORDED = new UnknownPresence([CLIENT_NAME]);

/** Variables of the connection, with names in snake case. */
const CONNECTION_READERS: VariableReaders = {
  ...Object.fromEntries(Object.entries(RECORDED).map(([path, pick]) => ifRecorded(path, pick))),
  [CLIENT_NAME]: ({ exchange }) => (exchange.tls.clientName ?? NO_NAME_RECORDED) || undefined,
};

type LocationRows = Readonly<Record<string, keyof GeoFacts>>;

const PLACE: LocationRows = {
  city: 'city',
  country: 'country',
  country_code: 'countryCode',
  latitude: 'latitude',
  longitude: 'longitude',
  radius: 'radius',
  subdivision: 'subdivision',
};

/** The client's location, with the names of all profiles. */
const LOCATION_READERS: VariableReaders = {
  ...below('conn.Geo', {
    CountryCode: 'countryCode',
    Latitude: 'latitude',
    Longitude: 'longitude',
    LatLongRadiusKm: 'radius',
  }),
  ...below('conn.geo', PLACE),
  ...below('conn.client_ip.as', { number: 'asNumber', organization: 'asOrganization' }),
  ...below('conn.client_ip.geo.location', {
    ...PLACE,
    continent: 'continent',
    is_eu: 'isInEu',
    metro_code: 'metroCode',
    postal_code: 'postalCode',
    timezone: 'timeZone',
  }),
  ...below('conn.client_ip.geo.registered_location', {
    country: 'registeredCountry',
    country_code: 'registeredCountryCode',
    is_eu: 'isRegisteredInEu',
  }),
};

function below(path: string, rows: LocationRows): VariableReaders {
  return Object.fromEntries(
    Object.entries(rows).map(([name, field]) => ifRecorded(`${path}.${name}`, ({ exchange }) => exchange.geo?.[field])),
  );
}

/** Logs may contain path and query without the rest of the URL. */
function ofTarget(pick: (parts: UrlParts) => unknown): VariableReader {
  return ({ request }: TrafficState) => mapKnown(request.target, target => pick(splitUrl(target)));
}

/** `req.url`: a string, and an object. */
const URL_READERS: VariableReaders = {
  'req.url': state => state.request.url,
  'req.url.raw': state => state.request.url,
  'req.url.scheme': ({ request }) => request.origin.scheme,
  'req.url.host': ({ request }) => request.origin.hostName,
  'req.url.port': ({ request }) => mapKnown(request.origin.authority, portOf),
  'req.url.authority': ({ request: { origin } }) =>
    mapKnown(origin.authority, authority => mapKnown(origin.user, user => (user === '' ? '' : `${user}@`) + authority)),
  'req.url.user_password': ({ request }) => request.origin.user,
  'req.url.path': ({ request }) => mapKnown(request.target, decodedPathIn),
  'req.url.raw_path': ofTarget(parts => parts.path),
  'req.url.query': ofTarget(parts => parts.query ?? ''),
  'req.url.uri': ofTarget(targetOf),
  'req.url.query_params': ofTarget(parts => queryParams(parts.query ?? '')),
};

const TEXTS = ['name', 'version', 'os', 'os_version', 'device', 'url'];
const FLAGS = ['is_mobile', 'is_tablet', 'is_desktop', 'is_bot'];

const USER_AGENT = SNAKE_CASE.requestHeader('user-agent');

const header: VariableReader = state => firstIn(state.request, USER_AGENT) ?? '';

/** `req.user_agent`: as a string, the header. How the edge parses it is not published, so its fields are known only if there is nothing to parse. */
const USER_AGENT_READERS: VariableReaders = {
  'req.user_agent': header,
  ...Object.fromEntries([...TEXTS.map(name => field(name, '')), ...FLAGS.map(name => field(name, false))]),
};

function field(name: string, none: string | boolean): [path: string, reader: VariableReader] {
  const path = `req.user_agent.${name}`;
  const unknown = new Unknown([path]);
  return [path, state => (header(state) === '' ? none : unknown)];
}

const COOKIE = CAPITALISED.requestHeader('Cookie');
const REQUEST_LOCATION = CAPITALISED.requestHeader('Location');
const SET_COOKIE = CAPITALISED.responseHeader('Set-Cookie');
const RESPONSE_LOCATION = CAPITALISED.responseHeader('Location');

/** Variables of the profile with capitalized names. */
const EDGE_V2_READERS: VariableReaders = {
  'conn.ClientIP': clientIpOf,
  ...tlsReaders('conn.TLS'),
  ...tlsReaders('req.ClientTLS'),
  'req.ContentLength': state => requestLength(state) ?? -1,
  'req.Cookies': ({ request }) => mapKnown(stringsOf(request, COOKIE), requestCookies),
  'req.Headers': state => state.request.headers,
  'req.Host': state => state.request.host,
  'req.Location': state => firstIn(state.request, REQUEST_LOCATION) ?? '',
  'req.Method': state => state.request.method,
  'req.Params': state => mapKnown(state.request.target, target => queryParams(splitUrl(target).query ?? '')),
  'req.Path': state => mapKnown(state.request.target, decodedPathIn),
  'req.Protocol': state => state.request.protocol,
  'req.URL': state => state.request.url,
  'res.ContentLength': state => responseLength(state) ?? -1,
  'res.Cookies': ({ response }) => mapKnown(stringsOf(response, SET_COOKIE), responseCookies),
  'res.Headers': state => state.response.headers,
  'res.Location': state => firstIn(state.response, RESPONSE_LOCATION) ?? '',
  'res.StatusCode': state => mapKnown(state.response.status, String),
  ...notRecorded('req.Trailers', 'res.Trailers'),
  ...notRecorded('res.ServerTLS.CertCN', 'res.ServerTLS.CipherSuite', 'res.ServerTLS.SNI', 'res.ServerTLS.Version'),
};

function tlsReaders(path: string): VariableReaders {
  const recorded = { CertCN: 'clientName', CipherSuite: 'cipherSuite', SNI: 'serverName', Version: 'version' } as const;
  const rows = Object.entries(recorded);
  return Object.fromEntries(
    rows.map(([name, field]) => ifRecorded(`${path}.${name}`, ({ exchange }) => exchange.tls[field])),
  );
}

const REQUEST = {
  cookie: SNAKE_CASE.requestHeader('cookie'),
  location: SNAKE_CASE.requestHeader('location'),
  type: SNAKE_CASE.requestHeader('content-type'),
  encoding: SNAKE_CASE.requestHeader('content-encoding'),
};

const RESPONSE = {
  setCookie: SNAKE_CASE.responseHeader('set-cookie'),
  location: SNAKE_CASE.responseHeader('location'),
  type: SNAKE_CASE.responseHeader('content-type'),
  encoding: SNAKE_CASE.responseHeader('content-encoding'),
};

/** Variables of the profiles with names in snake case. */
const SNAKE_READERS: VariableReaders = {
  'conn.client_ip': clientIpOf,
  ...CONNECTION_READERS,
  ...notRecorded('conn.server_region', 'conn.bytes_in', 'conn.bytes_out', 'conn.tls.session_resumed'),
  ...maybeAbsent('conn.end_ts'),
  'time.now': state => mapKnown(timeOf(state), now => new Date(now).toISOString().replace(/\.000Z$/, 'Z')),
  vars: state => state.vars,
  'req.method': state => state.request.method,
  'req.host': state => state.request.host,
  'req.version': state => state.request.protocol,
  'req.headers': state => state.request.headers,
  'req.location': state => firstIn(state.request, REQUEST.location) ?? '',
  'req.cookies': ({ request }) => mapKnown(stringsOf(request, REQUEST.cookie), requestCookiesByName),
  'req.content_length': requestLength,
  'req.ts.header_received': state => mapKnown(timeOf(state), now => new Date(now)),
  ...maybeAbsent('req.ts.body_received'),
  ...notRecorded('req.trailers', 'res.trailers'),
  ...URL_READERS,
  ...USER_AGENT_READERS,
  'res.status_code': state => state.response.status,
  'res.headers': state => state.response.headers,
  'res.location': state => firstIn(state.response, RESPONSE.location) ?? '',
  'res.cookies': ({ response }) => mapKnown(stringsOf(response, RESPONSE.setCookie), responseCookiesByName),
  'res.content_length': responseLength,
  ...contentReaders('req', state => state.request, REQUEST),
  ...contentReaders('res', state => state.response, RESPONSE),
};

type MessageOf = (state: Parameters<VariableReader>[0]) => RequestState | ResponseState;

interface ContentHeaders {
  readonly type: HeaderName;
  readonly encoding: HeaderName;
}

function contentReaders(
  owner: 'req' | 'res',
  messageOf: MessageOf,
  { type, encoding }: ContentHeaders,
): VariableReaders {
  const raw: VariableReader = state => firstIn(messageOf(state), type) ?? '';
  const media = (pick: (text: string) => unknown): VariableReader => {
    return state => mapKnown(raw(state) as string, pick);
  };
  return {
    [`${owner}.content_type`]: media(text => readMediaType(text).type),
    [`${owner}.content_type.raw`]: raw,
    [`${owner}.content_type.parameters`]: media(text => readMediaType(text).parameters),
    [`${owner}.content_encoding`]: state =>
      mapKnown(stringsOf(messageOf(state), encoding), texts =>
        texts.flatMap(text => text.split(',')).flatMap(text => (text.trim() === '' ? [] : [text.trim()])),
      ),
  };
}

/** Paths that no recording contains, with everything below: address details, certificates, the endpoint, Kubernetes. */
const NOT_RECORDED_BELOW: readonly string[] = [
  ...['conn.client_ip', 'conn.server_ip', 'conn.geo', 'conn.k8s', 'endpoint'],
  ...['conn.tls.client', 'conn.tls.server'],
];

/** Returns the reader of a catalog variable; undefined for those that an extension adds. */
export function catalogReader(path: string, profile: Profile): VariableReader | undefined {
  const fact = profile.variables.find(variable => variable.path === path);
  if (fact?.setBy !== undefined) return state => state.results[path];
  const reader = EDGE_V2_READERS[path] ?? SNAKE_READERS[path] ?? LOCATION_READERS[path];
  if (reader !== undefined) return reader;
  if (!NOT_RECORDED_BELOW.some(root => isBelow(path, root))) return undefined;
  const unknown = fact?.absent && fact.absent.value === undefined ? new UnknownPresence([path]) : new Unknown([path]);
  return () => unknown;
}

/** Returns the reader of a variable. No recording contains what an extension adds. */
export function readerOf(path: string, profile: Profile): VariableReader {
  const reader = recordedReaderOf(path, profile);
  if (!isStatable(path, profile)) return reader;
  const isTime = profile.variables.some(one => one.path === path && one.type === 'timestamp');
  return state => {
    const { stated } = state.exchange;
    if (stated === undefined || !Object.hasOwn(stated, path)) return reader(state);
    const value = stated[path];
    return value === null ? undefined : isTime ? new Date(String(value)) : value;
  };
}

/** Paths, with everything below, whose values a written exchange may state because none of its parts says them. */
const STATABLE: readonly string[] = [
  ...['conn.client_ip', 'conn.server_ip', 'conn.server_port', 'conn.server_region', 'conn.client_port', 'conn.geo'],
  ...['conn.bytes_in', 'conn.bytes_out', 'conn.end_ts', 'conn.start_ts', 'conn.ts', 'conn.k8s', 'endpoint'],
  ...['conn.tls.session_resumed', 'conn.tls.client', 'conn.tls.server', 'conn.Geo', 'res.ServerTLS'],
  ...['req.user_agent', 'req.trailers', 'res.trailers', 'req.Trailers', 'res.Trailers', 'req.ts.body_received'],
];

/** What the other parts of an exchange say. */
const DERIVED: ReadonlySet<string> = new Set(['conn.client_ip', 'req.user_agent', CLIENT_NAME]);

/** Returns true if a written exchange may state the value of a variable: what extensions add, and what no part of an exchange says. */
export function isStatable(path: string, profile: Profile): boolean {
  const fact = profile.variables.find(one => one.path === path);
  if (fact === undefined || fact.setBy !== undefined || DERIVED.has(path)) return false;
  return STATABLE.some(root => isBelow(path, root)) || catalogReader(path, profile) === undefined;
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`);
}

function recordedReaderOf(path: string, profile: Profile): VariableReader {
  const reader = catalogReader(path, profile);
  if (reader !== undefined) return isTlsVersion(path) ? spelt(reader, profile.switches.tlsVersionSpelling) : reader;
  const unknown = new Unknown([path]);
  return () => unknown;
}

function isTlsVersion(path: string): boolean {
  return /(?:TLS\.V|\btls\.v|terminate_tls\.v)ersion$/.test(path);
}

/** Converts from `TLS 1.3`, the spelling in recordings. */
function spelt(reader: VariableReader, spelling: Profile['switches']['tlsVersionSpelling']): VariableReader {
  const prefix = spelling.slice(0, -'1.3'.length);
  if (prefix === 'TLS ') return reader;
  return state => {
    const version = reader(state);
    return typeof version === 'string' ? version.replace(/^TLS /, prefix) : version;
  };
}

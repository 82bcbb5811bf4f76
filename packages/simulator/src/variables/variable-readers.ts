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
    [dialect.names.requestHeaders, (key: string) => requestHeaderReader(dialect, key)] as const,
    [dialect.names.responseHeaders, (key: string) => responseHeaderReader(dialect, key)] as const,
  ]),
);

/** Returns whether the variable is a map of headers. */
export function isHeaderMap(path: string): boolean {
  return MAPS.has(path);
}

/** Returns the reader of a single header, which is undefined if it is absent. */
export function headerReader(path: string, key: string): VariableReader {
  return MAPS.get(path)!(key);
}

/** Returns the reader of a request header. */
export function requestHeaderReader(dialect: Dialect, key: string): VariableReader {
  const name = dialect.requestHeader(key);
  return state => valuesIn(state.request, name);
}

/** Returns the reader of a response header. */
export function responseHeaderReader(dialect: Dialect, key: string): VariableReader {
  const name = dialect.responseHeader(key);
  return state => valuesIn(state.response, name);
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
export const CONNECTION_READERS: VariableReaders = {
  ...Object.fromEntries(Object.entries(RECORDED).map(([path, pick]) => ifRecorded(path, pick))),
  ...notRecorded('conn.server_region', 'conn.bytes_in', 'conn.bytes_out', 'conn.tls.session_resumed'),
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
export const LOCATION_READERS: VariableReaders = {
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
export const URL_READERS: VariableReaders = {
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
};

/** Parameters of the query. */
export const PARAMETER_READERS: VariableReaders = {
  'req.url.query_params': ofTarget(parts => queryParams(parts.query ?? '')),
  'req.Params': state => mapKnown(state.request.target, target => queryParams(splitUrl(target).query ?? '')),
};

const TEXTS = ['name', 'version', 'os', 'os_version', 'device', 'url'];
const FLAGS = ['is_mobile', 'is_tablet', 'is_desktop', 'is_bot'];

const USER_AGENT = SNAKE_CASE.requestHeader('user-agent');

const header: VariableReader = state => firstIn(state.request, USER_AGENT) ?? '';

/** `req.user_agent`: as a string, the header. How the edge parses it is not published, so its fields are known only if there is nothing to parse. */
export const USER_AGENT_READERS: VariableReaders = {
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
export const EDGE_V2_READERS: VariableReaders = {
  'conn.ClientIP': clientIpOf,
  'req.Headers': state => state.request.headers,
  'req.Host': state => state.request.host,
  'req.Method': state => state.request.method,
  'req.Path': state => mapKnown(state.request.target, decodedPathIn),
  'req.Protocol': state => state.request.protocol,
  'req.URL': state => state.request.url,
  'res.Headers': state => state.response.headers,
  'res.StatusCode': state => mapKnown(state.response.status, String),
};

/** What few rules read of messages, with capitalized names. */
export const EDGE_V2_MESSAGE_READERS: VariableReaders = {
  'req.ContentLength': state => requestLength(state) ?? -1,
  'req.Location': state => firstIn(state.request, REQUEST_LOCATION) ?? '',
  'res.ContentLength': state => responseLength(state) ?? -1,
  'res.Location': state => firstIn(state.response, RESPONSE_LOCATION) ?? '',
};

/** Cookies, with capitalized names. */
export const EDGE_V2_COOKIE_READERS: VariableReaders = {
  'req.Cookies': ({ request }) => mapKnown(stringsOf(request, COOKIE), requestCookies),
  'res.Cookies': ({ response }) => mapKnown(stringsOf(response, SET_COOKIE), responseCookies),
};

/** TLS and trailers, with capitalized names. */
export const EDGE_V2_TLS_READERS: VariableReaders = {
  ...tlsReaders('conn.TLS'),
  ...tlsReaders('req.ClientTLS'),
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

const COOKIES = {
  request: SNAKE_CASE.requestHeader('cookie'),
  response: SNAKE_CASE.responseHeader('set-cookie'),
};

const REQUEST = {
  location: SNAKE_CASE.requestHeader('location'),
  type: SNAKE_CASE.requestHeader('content-type'),
  encoding: SNAKE_CASE.requestHeader('content-encoding'),
};

const RESPONSE = {
  location: SNAKE_CASE.responseHeader('location'),
  type: SNAKE_CASE.responseHeader('content-type'),
  encoding: SNAKE_CASE.responseHeader('content-encoding'),
};

/** Variables of the profiles with names in snake case. */
export const SNAKE_READERS: VariableReaders = {
  'conn.client_ip': clientIpOf,
  vars: state => state.vars,
  'req.method': state => state.request.method,
  'req.host': state => state.request.host,
  'req.version': state => state.request.protocol,
  'req.headers': state => state.request.headers,
  'res.status_code': state => state.response.status,
  'res.headers': state => state.response.headers,
};

/** Moments of an exchange. */
export const TIME_READERS: VariableReaders = {
  'time.now': state => mapKnown(timeOf(state), now => new Date(now).toISOString().replace(/\.000Z$/, 'Z')),
  'req.ts.header_received': state => mapKnown(timeOf(state), now => new Date(now)),
  ...maybeAbsent('req.ts.body_received', 'conn.end_ts'),
};

/** Cookies, with names in snake case. */
export const COOKIE_READERS: VariableReaders = {
  'req.cookies': ({ request }) => mapKnown(stringsOf(request, COOKIES.request), requestCookiesByName),
  'res.cookies': ({ response }) => mapKnown(stringsOf(response, COOKIES.response), responseCookiesByName),
};

/** What few rules read of messages, with names in snake case. */
export const MESSAGE_READERS: VariableReaders = {
  'req.location': state => firstIn(state.request, REQUEST.location) ?? '',
  'req.content_length': requestLength,
  'res.location': state => firstIn(state.response, RESPONSE.location) ?? '',
  'res.content_length': responseLength,
  ...notRecorded('req.trailers', 'res.trailers'),
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

/** Readers in tables, so that a compiled policy contains only the tables with variables that it reads. */
const READER_TABLES = {
  EDGE_V2_READERS,
  EDGE_V2_MESSAGE_READERS,
  EDGE_V2_COOKIE_READERS,
  EDGE_V2_TLS_READERS,
  SNAKE_READERS,
  URL_READERS,
  PARAMETER_READERS,
  MESSAGE_READERS,
  COOKIE_READERS,
  USER_AGENT_READERS,
  CONNECTION_READERS,
  LOCATION_READERS,
  TIME_READERS,
} as const;

const TABLES = Object.entries(READER_TABLES) as readonly (readonly [keyof typeof READER_TABLES, VariableReaders])[];

/** Where the value of a catalog variable is from. */
export type VariableSource =
  /** An action of the policy leaves it behind. */
  | { readonly kind: 'result' }
  | { readonly kind: 'table'; readonly table: keyof typeof READER_TABLES }
  /** No recording contains it; traffic may lack it. */
  | { readonly kind: 'unknown'; readonly mayBeAbsent: boolean };

/** Returns where the value of a variable is from; undefined for one that an extension adds. */
export function variableSource(path: string, profile: Profile): VariableSource | undefined {
  const fact = profile.variables.find(variable => variable.path === path);
  if (fact?.setBy !== undefined) return { kind: 'result' };
  const table = TABLES.find(([, readers]) => Object.hasOwn(readers, path))?.[0];
  if (table !== undefined) return { kind: 'table', table };
  if (!NOT_RECORDED_BELOW.some(root => isBelow(path, root))) return undefined;
  return { kind: 'unknown', mayBeAbsent: fact?.absent !== undefined && fact.absent.value === undefined };
}

/** Returns the reader of a catalog variable; undefined for those that an extension adds. */
export function catalogReader(path: string, profile: Profile): VariableReader | undefined {
  const source = variableSource(path, profile);
  if (source?.kind === 'result') return resultReader(path);
  if (source?.kind === 'unknown') return unknownReader(path, source.mayBeAbsent);
  return source && tableReader(READER_TABLES[source.table], path);
}

/** Returns the reader of what an action leaves behind. */
export function resultReader(path: string): VariableReader {
  return state => state.results[path];
}

/** Returns the reader of a value that no recording contains. */
export function unknownReader(path: string, mayBeAbsent: boolean): VariableReader {
  const unknown = mayBeAbsent ? new UnknownPresence([path]) : new Unknown([path]);
  return () => unknown;
}

/** Returns a reader in a table. */
export function tableReader(table: VariableReaders, path: string): VariableReader {
  return table[path]!;
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
  const reader = catalogReader(path, profile) ?? unknownReader(path, false);
  return isTlsVersion(path) ? tlsVersionReader(reader, profile.switches.tlsVersionSpelling) : reader;
}

/** Returns true for a variable with a version of TLS. */
export function isTlsVersion(path: string): boolean {
  return /(?:TLS\.V|\btls\.v|terminate_tls\.v)ersion$/.test(path);
}

/** Returns a reader that converts from `TLS 1.3`, the spelling in recordings. */
export function tlsVersionReader(
  reader: VariableReader,
  spelling: Profile['switches']['tlsVersionSpelling'],
): VariableReader {
  const prefix = spelling.slice(0, -'1.3'.length);
  if (prefix === 'TLS ') return reader;
  return state => {
    const version = reader(state);
    return typeof version === 'string' ? version.replace(/^TLS /, prefix) : version;
  };
}

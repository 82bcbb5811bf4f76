// An exchange that options describe.

import { isIP } from 'node:net';
import { canonicalHeaderName } from '@tollgate/policy';
import {
  type Exchange,
  type GeoFacts,
  type GeoField,
  geoIn,
  type HeaderFacts,
  type HeaderField,
  NO_HEADER_KNOWN,
  normalizeAddress,
  TLS_UNKNOWN,
  type TlsFacts,
} from '@tollgate/traffic';
import { UsageError } from '../process/exit-code.ts';
import type { HeaderOption, RequestOptions } from './trace-options.ts';

const UNKNOWN_EXCHANGE: Exchange = {
  place: { file: 'command line', number: 1, unit: 'entry' },
  time: undefined,
  clientIp: undefined,
  tls: TLS_UNKNOWN,
  method: undefined,
  target: undefined,
  url: undefined,
  protocol: undefined,
  requestHeaders: NO_HEADER_KNOWN,
  response: undefined,
};

/**
 * Returns the exchange that options describe: the client sends exactly this, and the upstream answers as described, if at all. Client,
 * connection and response are unknown where no option sets them; without a URL, the request is unknown, too.
 */
export function describedExchange(options: RequestOptions): Exchange {
  const { url, data, method = data === undefined ? 'GET' : 'POST', incomplete } = options;
  const complete = incomplete !== true;
  if (url === undefined) return withOptions(UNKNOWN_EXCHANGE, options);
  const begun = { ...UNKNOWN_EXCHANGE, method, requestHeaders: { ...NO_HEADER_KNOWN, complete } };
  return withOptions(begun, options);
}

/** Returns the exchange with the options applied. */
export function withOptions(recorded: Exchange, options: RequestOptions): Exchange {
  const { method, url, protocol, clientIp, time, incomplete } = options;
  const exchange = copied(recorded);
  const located = url === undefined ? exchange : atUrl(exchange, url);
  return {
    ...located,
    ...(method !== undefined && { method }),
    ...(protocol !== undefined && { protocol }),
    ...(clientIp !== undefined && { clientIp: checkedAddress(clientIp) }),
    // Whether a token is valid depends on the time.
    ...(time !== undefined && { time, verdicts: undefined }),
    geo: geoOf(located, options),
    tls: tlsOf(located, options),
    requestHeaders: {
      ...withHeaders(located.requestHeaders, [...dataHeaders(options), ...(options.header ?? [])]),
      ...(incomplete && { complete: false }),
    },
    response: responseOf(located, options),
  };
}

/** Readers return instances whose members are computed on access. */
function copied(exchange: Exchange): Exchange {
  const { place, time, clientIp, geo, connection, tls, method, protocol, response } = exchange;
  const { target, url, scheme, hostName, verdicts } = exchange;
  const { fields, absent, complete, withheld, mayBeComplete } = exchange.requestHeaders;
  const unclear = new Map([...(exchange.requestHeaders.unclear ?? [])]);
  const kept = { ...(unclear.size > 0 && { unclear }), ...(mayBeComplete && { mayBeComplete }) };
  const requestHeaders = { fields, absent, complete, withheld, ...kept };
  const request = { method, target, url, scheme, hostName, protocol, requestHeaders };
  return { place, time, clientIp, geo, connection, tls, ...request, response, verdicts };
}

function checkedAddress(address: string): string {
  const normalized = normalizeAddress(address);
  if (normalized === undefined) throw new UsageError(`\`--client-ip\` expects an IP address, found \`${address}\``);
  return normalized;
}

/** For a path, scheme and host are unknown. */
function atUrl(exchange: Exchange, text: string): Exchange {
  if (text.startsWith('/'))
    return {
      ...exchange,
      target: withoutFragment(text),
      url: undefined,
      scheme: undefined,
      hostName: undefined,
    };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`\`--url\` expects a URL such as \`https://example.com/a\`, or a path, found \`${text}\``);
  const target = /^[^:]+:\/\/[^/?#]*([^#]*)/s.exec(text)![1]!;
  const host: HeaderOption = { name: 'Host', value: url.host };
  return {
    ...exchange,
    target: target.startsWith('/') ? target : `/${target}`,
    url: withoutFragment(text),
    scheme: undefined,
    hostName: undefined,
    tls: url.protocol === 'http:' ? NO_TLS : { ...exchange.tls, serverName: serverNameOf(url) },
    requestHeaders: withHeaders(exchange.requestHeaders, [host]),
  };
}

const NO_TLS: TlsFacts = { version: '', cipherSuite: '', serverName: '' };

/** Literal addresses are not sent as server names (RFC 6066, section 3). */
function serverNameOf({ hostname }: URL): string {
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
}

/** Fragments are never sent. */
function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

/** The recorded geolocation belongs to another address. */
function geoOf(
  { geo: recorded }: Exchange,
  { country, geo: given = {}, clientIp }: RequestOptions,
): GeoFacts | undefined {
  const geo = clientIp === undefined ? recorded : undefined;
  const said = geoIn((field: GeoField) => (field === 'country' ? (country ?? given.country) : given[field]));
  if (said === undefined) return geo;
  return { ...geo, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
}

function tlsOf({ tls }: Exchange, { tls: version }: RequestOptions): TlsFacts {
  if (version === undefined) return tls;
  return version === '' ? NO_TLS : { ...tls, version };
}

/** The header that curl sends unless one is given. */
function dataHeaders({ data }: RequestOptions): readonly HeaderOption[] {
  if (data === undefined) return [];
  return [
    { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
    { name: 'Content-Length', value: String(Buffer.byteLength(data)) },
  ];
}

function responseOf(
  { response }: Exchange,
  { status, responseHeader, incomplete }: RequestOptions,
): Exchange['response'] {
  if (status === undefined && responseHeader === undefined) return response;
  const known = response ?? {
    status: undefined,
    headers: { ...NO_HEADER_KNOWN, complete: incomplete !== true },
    bodySize: undefined,
  };
  return { ...known, status: status ?? known.status, headers: withHeaders(known.headers, responseHeader ?? []) };
}

/** Each given name replaces all recorded values of that header. */
function withHeaders(facts: HeaderFacts, given: readonly HeaderOption[]): HeaderFacts {
  if (given.length === 0) return facts;
  const names = new Set(given.map(({ name }) => name));
  const kept = facts.fields.filter(({ name }) => !names.has(canonicalHeaderName(name)));
  const last = new Map<string, HeaderField[]>();
  // Explicit headers override those that `--data` implies; a repeated header keeps all values.
  for (const { name, value } of given) {
    const before = last.get(name) ?? [];
    if (value === undefined) last.set(name, []);
    else last.set(name, IMPLIED.has(name) ? [{ name, value }] : [...before, { name, value }]);
  }
  const absent = [...last].flatMap(([name, values]) => (values.length === 0 ? [name.toLowerCase()] : []));
  return {
    ...facts,
    fields: [...kept, ...[...last.values()].flat()],
    absent: [...facts.absent.filter(name => !names.has(canonicalHeaderName(name))), ...absent],
    withheld: facts.withheld.filter(name => !names.has(canonicalHeaderName(name))),
    ...(facts.unclear && {
      unclear: new Map([...facts.unclear].filter(([name]) => !names.has(canonicalHeaderName(name)))),
    }),
  };
}

/** Headers that occur once. */
const IMPLIED: ReadonlySet<string> = new Set(['Host', 'Content-Type', 'Content-Length']);

import { PROFILES, type Profile } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { wholeOf } from '@tollgate/cel/tooling';
import { type Exchange, type HeaderFacts, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { dialectOf } from '../message/dialect.ts';
import { initialState } from '../state/recorded-state.ts';
import { catalogProvider } from '../values/providers.ts';
import { recordedFieldsOf } from './recorded-fields.ts';

const HEADERS: HeaderFacts = {
  fields: [
    { name: 'Host', value: 'e.co' },
    { name: 'User-Agent', value: 'x' },
    { name: 'Content-Type', value: 'text/html' },
    { name: 'Content-Length', value: '1' },
  ],
  absent: [],
  complete: true,
  withheld: [],
};

const WHOLE: Exchange = {
  place: { file: 'a', number: 1, unit: 'entry' },
  time: 0,
  clientIp: '192.0.2.1',
  geo: {
    ...{ countryCode: 'DE', country: 'Germany', continent: 'Europe', subdivision: 'Berlin', city: 'Berlin' },
    ...{ postalCode: '1', metroCode: '1', timeZone: 'x', latitude: '1', longitude: '1', radius: '1', isInEu: true },
    ...{ registeredCountryCode: 'DE', registeredCountry: 'Germany', isRegisteredInEu: true },
    ...{ asNumber: 1, asOrganization: 'x' },
  },
  connection: { clientPort: 1, serverIp: '::1', serverPort: 443 },
  tls: { version: 'TLS 1.3', cipherSuite: 'x', serverName: 'e.co', alpn: 'h2', ja4: 'x' },
  method: 'POST',
  target: '/a?b',
  url: 'https://e.co:8443/a?b',
  protocol: 'HTTP/2.0',
  requestHeaders: HEADERS,
  response: { status: 200, headers: HEADERS, bodySize: 1 },
};

const NOTHING: Exchange = {
  place: WHOLE.place,
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

/** Returns the variables whose value is known on an exchange, without results of actions. */
function knownOn(exchange: Exchange, profile: Profile): string[] {
  const state = initialState(exchange, { dialect: dialectOf(profile), assumptions: {} });
  const recorded = profile.variables.filter(({ path, setBy }) => setBy === undefined && path !== 'vars');
  return recorded.flatMap(({ path }) => (isKnown(catalogProvider(path, profile)!(state)) ? [path] : []));
}

function isKnown(value: unknown): boolean {
  return !(value instanceof Unknown) && !(typeof value === 'object' && value !== null && wholeOf(value) !== undefined);
}

describe('the fields that an input is derived from', () => {
  it.each(PROFILES.map(profile => [profile.name, profile] as const))(
    'are named for each variable of %s that a recording can hold, and for no other',
    (_, profile) => {
      const variables = profile.variables.filter(({ path, setBy }) => setBy === undefined && path !== 'vars');
      const named = variables.filter(({ path }) => recordedFieldsOf(path).length > 0).map(({ path }) => path);
      expect(named).toEqual(knownOn(WHOLE, profile));
      expect(knownOn(NOTHING, profile)).toEqual([]);
    },
  );

  it.each([
    ['req.Headers["X-Key"]', ['request_headers.X-Key']],
    ['res.headers["set-cookie"]', ['response_headers.Set-Cookie']],
    ['req.headers', ['request_headers']],
    ['req.url.query_params["q"]', ['target']],
    ['req.Cookies["id"]', ['request_headers.Cookie']],
    ['conn.Geo', ['country', 'latitude', 'longitude', 'geoip']],
    [
      'req.ContentLength',
      ['request_headers.Content-Length', 'request_headers.Transfer-Encoding', 'method', 'protocol'],
    ],
    ['the time of the exchange', ['time']],
    ['whether the client has signed in', []],
    ['endpoint.id', []],
    ['conn.client_ip.is_on_blocklist', []],
  ])('are, for %s, %j', (input, fields) => {
    expect(recordedFieldsOf(input)).toEqual(fields);
  });
});

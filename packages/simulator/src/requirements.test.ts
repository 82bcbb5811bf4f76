import { MODERN, PROFILES, type Profile } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { wholeOf } from '@tollgate/cel/tooling';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { type Exchange, type HeaderFacts, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { dialectOf } from './exchange-state/dialect.ts';
import { initialState } from './exchange-state/recorded-state.ts';
import { policyRequirements, recordedFieldsOf } from './requirements.ts';
import { catalogReader } from './variables/variable-readers.ts';

function requirements(policy: object) {
  const source = new SourceText('p.json', JSON.stringify(policy));
  const analysis = analyzePolicy(source, { profile: MODERN, endpoint: 'http-endpoint' });
  expect(analysis.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return policyRequirements(analysis.policy!, { profile: MODERN, environments: analysis.environments });
}

describe('the requirements of a policy', () => {
  it('name functions whose results no recording tells, in conditions and in actions', () => {
    const [rule] = requirements({
      on_http_request: [
        {
          expressions: ["[req.method].exists(m, m == secrets.get('a', 'b'))", 'rand.double() < 0.5'],
          actions: [{ type: 'add-headers', config: { headers: { 'x-a': "${secrets.get('a', 'c')}" } } }],
        },
      ],
    });
    const secret = '`secrets.get()`, because secrets are stored at the edge';
    const random = '`rand.double()`, because the edge generates a new number for each call';
    expect([rule!.conditions, rule!.actions[0]!.needs]).toEqual([[random, secret, 'req.method'], [secret]]);
  });

  it('are listed for each rule, in the order of the policy', () => {
    const deny = { type: 'deny' };
    const found = requirements({
      on_http_response: [
        { expressions: ["res.headers['x-a'][0] == '1'", 'res.status_code > 499'], actions: [{ type: 'log' }] },
      ],
      on_http_request: [
        { name: 'first', expressions: ["req.method == 'GET' && hasReqHeader('X-Key')"], actions: [deny] },
        { expressions: ["'tier' in vars && actions.ngrok.rate_limit.limited"], actions: [deny] },
      ],
    });
    expect(found).toEqual([
      {
        ...{ phase: 'on_http_request', index: 0, name: 'first', conditions: ['req.headers["x-key"]', 'req.method'] },
        actions: [{ type: 'deny', needs: [] }],
      },
      {
        ...{ phase: 'on_http_request', index: 1, name: undefined, conditions: [] },
        actions: [{ type: 'deny', needs: [] }],
      },
      {
        ...{ phase: 'on_http_response', index: 0, name: undefined },
        conditions: ['res.headers["x-a"]', 'res.status_code'],
        actions: [{ type: 'log', needs: [] }],
      },
    ]);
  });

  it.each([
    [
      'log',
      { metadata: { who: '${conn.client_ip}', what: { path: ['${req.url.path}'] } } },
      ['conn.client_ip', 'req.url.path'],
    ],
    ['add-headers', { headers: { 'x-a': '${req.headers["x-b"][0]}' } }, ['req.headers["x-b"]']],
    ['redirect', { from: '/a', to: '/b' }, ['req.url']],
    ['url-rewrite', { from: '/a', to: '/b?${req.method}' }, ['req.method', 'req.url']],
    ['restrict-ips', { allow: ['10.0.0.0/8'] }, ['conn.client_ip']],
    ['basic-auth', { credentials: ['ada:correct-horse'] }, ['req.headers["authorization"]']],
    ['oauth', { provider: 'google' }, ['whether the client has signed in']],
    [
      'rate-limit',
      { name: 'a', algorithm: 'sliding_window', capacity: 1, rate: '60s', bucket_key: ['conn.client_ip'] },
      ['conn.client_ip', 'the time of the exchange'],
    ],
    ['deny', undefined, []],
  ])('name what the action %s %j depends on', (type, config, needs) => {
    const [rule] = requirements({ on_http_request: [{ actions: [{ type, ...(config && { config }) }] }] });
    expect(rule!.actions).toEqual([{ type, needs }]);
  });
});

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
  return recorded.flatMap(({ path }) => (isKnown(catalogReader(path, profile)!(state)) ? [path] : []));
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

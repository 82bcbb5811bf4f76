import { EDGE_V2, EDGE_V2_SNAKE, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { type Exchange, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { createSimulation } from '../simulation/simulation.ts';

const LITTLE: Exchange = {
  place: { file: 'a.log', number: 1, unit: 'line' },
  time: undefined,
  clientIp: '192.0.2.1',
  tls: TLS_UNKNOWN,
  method: 'GET',
  target: '/',
  url: undefined,
  protocol: undefined,
  requestHeaders: NO_HEADER_KNOWN,
  response: undefined,
};

const MUCH: Exchange = {
  ...LITTLE,
  geo: {
    countryCode: 'DE',
    country: 'Germany',
    continent: 'Europe',
    subdivision: '',
    city: 'Berlin',
    postalCode: '10115',
    metroCode: '',
    timeZone: 'Europe/Berlin',
    latitude: '52.5200',
    longitude: '13.4050',
    radius: '20',
    isInEu: true,
    registeredCountryCode: 'US',
    registeredCountry: 'United States',
    isRegisteredInEu: false,
    asNumber: 64_500,
    asOrganization: 'Example Net',
  },
  connection: { clientPort: 51_312, serverIp: '198.51.100.4', serverPort: 443, start: 0 },
  tls: { ...TLS_UNKNOWN, alpn: 'h2', ja4: 't13d', clientName: 'device-17' },
};

const NAMELESS: Exchange = { ...MUCH, tls: { ...TLS_UNKNOWN, clientName: '' } };

function statusOf(profile: Profile, expression: string, exchange: Exchange): string {
  const rule = { expressions: [expression], actions: [{ type: 'log', config: { metadata: { a: '1' } } }] };
  const [endpoint] = profile.endpoints;
  const phase = profile === MODERN ? 'on_http_request' : 'inbound';
  const source = new SourceText('p.json', JSON.stringify({ [phase]: [rule] }));
  const { policy, environments, diagnostics } = analyzePolicy(source, { profile, endpoint: endpoint! });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [result] = createSimulation(policy!, { profile, environments }).decide(exchange).rules;
  return result?.status === 'undetermined' ? `needs ${result.needs}` : result!.status;
}

const PLACE = "city == 'Berlin' && country == 'Germany' && country_code == 'DE' && latitude == '52.5200'";
const MORE_PLACE = "longitude == '13.4050' && radius == '20' && subdivision == ''";

function below(path: string, conditions: string): string {
  return conditions.replace(/(^|&& !?)/g, `$1${path}.`);
}

describe('recorded values of a connection', () => {
  it.each([
    [EDGE_V2, below('conn.Geo', "CountryCode == 'DE' && Latitude == '52.5200'"), 'conn.Geo.CountryCode'],
    [EDGE_V2, below('conn.Geo', "Longitude == '13.4050' && LatLongRadiusKm == '20'"), 'conn.Geo.LatLongRadiusKm'],
    [EDGE_V2, "req.ClientTLS.CertCN == 'device-17'", 'req.ClientTLS.CertCN'],
    [EDGE_V2_SNAKE, below('conn.geo', PLACE), 'conn.geo.city'],
    [EDGE_V2_SNAKE, below('conn.geo', MORE_PLACE), 'conn.geo.longitude'],
    [EDGE_V2_SNAKE, "conn.start_ts == timestamp('1970-01-01T00:00:00Z')", 'conn.start_ts'],
    [MODERN, below('conn.client_ip.geo.location', PLACE), 'conn.client_ip.geo.location.city'],
    [MODERN, below('conn.client_ip.geo.location', MORE_PLACE), 'conn.client_ip.geo.location.longitude'],
    [MODERN, "conn.client_ip.geo.location.continent == 'Europe'", 'conn.client_ip.geo.location.continent'],
    [MODERN, "conn.client_ip.geo.location.postal_code == '10115'", 'conn.client_ip.geo.location.postal_code'],
    [MODERN, "conn.client_ip.geo.location.metro_code == ''", 'conn.client_ip.geo.location.metro_code'],
    [MODERN, "conn.client_ip.geo.location.timezone == 'Europe/Berlin'", 'conn.client_ip.geo.location.timezone'],
    [MODERN, 'conn.client_ip.geo.location.is_eu', 'conn.client_ip.geo.location.is_eu'],
    [
      MODERN,
      "conn.client_ip.geo.registered_location.country_code == 'US'",
      'conn.client_ip.geo.registered_location.country_code',
    ],
    [MODERN, '!conn.client_ip.geo.registered_location.is_eu', 'conn.client_ip.geo.registered_location.is_eu'],
    [MODERN, "conn.client_ip.as.organization == 'Example Net'", 'conn.client_ip.as.organization'],
    [MODERN, 'conn.client_ip.as.number == 64500', 'conn.client_ip.as.number'],
    [MODERN, 'conn.client_port == 51312', 'conn.client_port'],
    [MODERN, "conn.server_ip == '198.51.100.4'", 'conn.server_ip'],
    [MODERN, 'conn.server_port == 443', 'conn.server_port'],
    [MODERN, 'conn.ts.start.getSeconds() == 0', 'conn.ts.start'],
    [MODERN, "conn.tls.negotiated_alpn == 'h2'", 'conn.tls.negotiated_alpn'],
    [MODERN, "conn.tls.ja4_fingerprint == 't13d'", 'conn.tls.ja4_fingerprint'],
    [MODERN, "conn.tls.client.subject.common_name == 'device-17'", 'conn.tls.client.subject.common_name'],
  ])('decide %o: %s', (profile, expression, need) => {
    const found = [MUCH, LITTLE].map(exchange => statusOf(profile, expression, exchange));
    expect([found[0], found[1]!.replace(/,.*/, '')]).toEqual(['matched', `needs ${need}`]);
  });

  it('distinguish a client without a certificate from one about which that is unknown', () => {
    const name = 'conn.tls.client.subject.common_name';
    expect([MUCH, NAMELESS, LITTLE].map(exchange => statusOf(MODERN, `has(${name})`, exchange))).toEqual([
      'matched',
      'not-matched',
      `needs ${name}`,
    ]);
  });

  it('do not imply an empty body if the recording may omit Transfer-Encoding', () => {
    const headers = { fields: [{ name: 'Host', value: 'e.co' }], absent: [], complete: true };
    const statuses = [[], ['transfer-encoding']].map(withheld => {
      const exchange = { ...LITTLE, protocol: 'HTTP/1.1', requestHeaders: { ...headers, withheld } };
      return [
        statusOf(EDGE_V2, 'req.ContentLength == 0', exchange),
        statusOf(MODERN, 'has(req.content_length)', exchange),
      ];
    });
    expect(statuses).toEqual([
      ['matched', 'matched'],
      ['needs req.Headers["Transfer-Encoding"]', 'needs req.headers["transfer-encoding"]'],
    ]);
  });
});

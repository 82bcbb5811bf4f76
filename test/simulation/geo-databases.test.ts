import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange, ReadTrafficOptions } from '@tollgate/traffic';
import { openGeoDatabases, readTraffic } from '@tollgate/traffic-node';
import { afterAll, describe, expect, it } from 'vitest';
import { type GeoDatabase, geoDatabase } from '../support/geo-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-geo-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function written(content: string | Buffer): string {
  const file = join(folder, `${files++}.mmdb`);
  writeFileSync(file, content);
  return file;
}

const BERLIN = {
  continent: { code: 'EU', names: { de: 'Europa', en: 'Europe' } },
  country: { iso_code: 'DE', is_in_european_union: true, names: { de: 'Deutschland', en: 'Germany' } },
  registered_country: { iso_code: 'US', names: { en: 'United States' } },
  subdivisions: [{ iso_code: 'BE', names: { en: 'Land Berlin' } }],
  city: { names: { en: 'Berlin' } },
  postal: { code: '10115' },
  location: { latitude: 52.52, longitude: -13.405, accuracy_radius: 20, time_zone: 'Europe/Berlin', metro_code: 501 },
};

const CITY: GeoDatabase = {
  type: 'GeoLite2-City',
  networks: { '192.0.2.0/25': BERLIN, '2001:db8::/32': { country: { iso_code: 'FR', names: { en: 'France' } } } },
};
const COUNTRY: GeoDatabase = {
  type: 'GeoIP2-Country',
  networks: { '192.0.2.0/24': { country: { iso_code: 'NL', names: { en: 'Netherlands' } } } },
};
const ASN: GeoDatabase = {
  type: 'DBIP-ASN-Lite',
  networks: { '192.0.2.0/24': { autonomous_system_number: 64_500, autonomous_system_organization: 'Example Net' } },
};

async function located(address: string, ...databases: GeoDatabase[]) {
  const locate = await openGeoDatabases(databases.map(database => written(geoDatabase(database))));
  expect(locate(address)).toEqual(locate(address));
  return locate(address);
}

const IN_BERLIN = {
  countryCode: 'DE',
  country: 'Germany',
  continent: 'Europe',
  subdivision: 'Land Berlin',
  city: 'Berlin',
  postalCode: '10115',
  metroCode: '501',
  timeZone: 'Europe/Berlin',
  latitude: '52.5200',
  longitude: '-13.4050',
  radius: '20',
  isInEu: true,
  registeredCountryCode: 'US',
  registeredCountry: 'United States',
  isRegisteredInEu: false,
};
const NOWHERE = {
  ...Object.fromEntries(Object.keys(IN_BERLIN).map(name => [name, ''])),
  isInEu: false,
  isRegisteredInEu: false,
};

describe('databases of where addresses are', () => {
  it.each([
    ['all that a database of cities holds', '192.0.2.1', [CITY], IN_BERLIN],
    ['an IPv4 address that is written in IPv6', '::FFFF:192.0.2.1', [CITY], IN_BERLIN],
    ['what a record lacks as empty', '2001:db8::1', [CITY], { ...NOWHERE, countryCode: 'FR', country: 'France' }],
    ['an address that is not in it as empty', '203.0.113.9', [CITY], NOWHERE],
    ['an address with a zone', '2001:db8::1%eth0', [CITY], { ...NOWHERE, countryCode: 'FR', country: 'France' }],
    ['what is no address as empty', 'client.example', [CITY], NOWHERE],
    ['of networks only what a database of networks holds', '203.0.113.9', [ASN], { asOrganization: '' }],
    ['of an unheard-of type only what it holds', '203.0.113.9', [{ ...CITY, type: 'Our-Places' }], {}],
    [
      'of several what the first knows',
      '192.0.2.1',
      [ASN, CITY, COUNTRY],
      { ...IN_BERLIN, asNumber: 64_500, asOrganization: 'Example Net' },
    ],
  ])('give %s', async (_, address, databases, expected) => {
    expect(await located(address, ...databases)).toEqual(expected);
  });

  it.each([
    ['text', 'no database\n'],
    ['nothing', ''],
    ['a database without its end', geoDatabase(CITY).subarray(0, -200)],
    ['the end of a database', geoDatabase(CITY).subarray(-300)],
  ])('refuse %s', async (_, content) => {
    const file = written(content);
    await expect(openGeoDatabases([file])).rejects.toMatchObject({
      name: 'ExternalError',
      code: 'traffic/malformed-geo-database',
      message: `cannot read \`${file}\`: expected an undamaged MaxMind DB file`,
    });
  });

  it('name a file that does not exist', async () => {
    await expect(openGeoDatabases([join(folder, 'none')])).rejects.toMatchObject({ code: 'file/not-found' });
  });

  it('say so when a record turns out to be damaged', async () => {
    const content = geoDatabase(COUNTRY);
    content.fill(0xff, content.indexOf('country') - 2, content.indexOf('Netherlands'));
    const locate = await openGeoDatabases([written(content)]);
    expect(() => locate('192.0.2.1')).toThrow(expect.objectContaining({ code: 'traffic/malformed-geo-database' }));
  });

  it('tell where the clients of exchanges are, and leave alone all else that was recorded', async () => {
    const log = written('192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 2 "-" "x"\n');
    const locate = await openGeoDatabases([written(geoDatabase(CITY))]);
    const [plain, exchange] = [await firstExchange(log, {}), await firstExchange(log, { locate })];
    for (const name of NAMES) expect(exchange[name]).toEqual(plain[name]);
    expect([plain.geo, exchange.geo]).toEqual([undefined, IN_BERLIN]);
  });
});

const NAMES = [
  ...(['place', 'time', 'clientIp', 'connection', 'tls', 'method', 'target', 'url', 'protocol'] as const),
  ...(['requestHeaders', 'response'] as const),
];

async function firstExchange(file: string, options: ReadTrafficOptions): Promise<Exchange> {
  for await (const { exchanges } of readTraffic(file, options)) return exchanges[0]!;
  throw new Error('nothing was read');
}

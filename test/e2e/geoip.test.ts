import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import type { ReplaySummary } from '@tollgate/simulator';
import { afterAll, describe, expect, it } from 'vitest';
import { geoDatabase } from '../support/geo-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-geoip-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const ADDRESSES = ['9.0.0.1', '99.0.0.1', '127.0.0.9', '128.0.0.1', '203.0.113.9', '2001:db8::1', 'a.example'];
const LOG = written(
  'access.log',
  ADDRESSES.map(address => `${address} - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 2\n`).join(''),
);
const POLICY = written(
  'policy.yaml',
  `on_http_request:
  - expressions: ["conn.geo.country_code == 'DE'", conn.client_ip.as.number == 64500]
    actions: [{ type: deny }]
`,
);
/** Each database contains one half of all addresses. */
const CITY = written(
  'city.mmdb',
  geoDatabase({
    type: 'GeoLite2-City',
    networks: { '0.0.0.0/1': { country: { iso_code: 'DE' } }, '128.0.0.0/1': { country: { iso_code: 'FR' } } },
  }),
);
const ASN = written(
  'asn.mmdb',
  geoDatabase({ type: 'GeoLite2-ASN', networks: { '0.0.0.0/0': { autonomous_system_number: 64_500 } } }),
);

const tollgate = (...args: string[]) => runCaptured(args);

async function firstRule(...args: string[]) {
  const { code, output, errors } = await tollgate('replay', '--format', 'json', ...args, POLICY, LOG);
  expect([code, errors]).toEqual([0, '']);
  const { matched, notMatched, undetermined } = (JSON.parse(output) as ReplaySummary).rules[0]!;
  return { matched, notMatched, undetermined };
}

describe('tollgate replay --geoip', () => {
  it('leaves the location undetermined without a database', async () => {
    expect(await firstRule()).toEqual({ matched: 0, notMatched: 0, undetermined: 7 });
  });

  it('leaves addresses undetermined that the databases do not contain, and host names', async () => {
    expect(await firstRule('--geoip', CITY)).toEqual({ matched: 0, notMatched: 3, undetermined: 4 });
  });

  it('takes what one database lacks from the other', async () => {
    expect(await firstRule('--geoip', CITY, '--geoip', ASN)).toEqual({ matched: 3, notMatched: 3, undetermined: 1 });
  });

  it.each([
    ['a file that is not a database', POLICY, 'expected an undamaged MaxMind DB file'],
    ['a file that is not there', join(folder, 'none.mmdb'), 'no such file'],
  ])('rejects %s', async (_, file, message) => {
    const result = await tollgate('replay', '--geoip', file, POLICY, LOG);
    expect(result).toEqual({ code: 3, output: '', errors: `tollgate: cannot read \`${file}\`: ${message}\n` });
  });
});

import { GEO_FIELDS } from '@tollgate/traffic';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { describedExchange, withOptions } from './described-exchange.ts';
import { addRequestOptions, GEO_CHOICES, type RequestOptions } from './trace-options.ts';

function optionsOf(...args: readonly string[]): RequestOptions {
  const command = addRequestOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return command.parse([...args], { from: 'user' }).opts();
}

function described(...args: readonly string[]) {
  return describedExchange(optionsOf(...args));
}

const fields = (...args: readonly string[]) =>
  described('--url', 'https://e.co/', ...args).requestHeaders.fields.map(({ name, value }) => `${name}: ${value}`);

describe('the exchange that options describe', () => {
  it('is complete for a URL', () => {
    expect(described('--url', 'https://E.co:8443/a%20b?c#d')).toEqual({
      place: { file: 'command line', number: 1, unit: 'entry' },
      ...{ time: undefined, clientIp: undefined, geo: undefined, connection: undefined, protocol: undefined },
      tls: { version: undefined, cipherSuite: undefined, serverName: 'e.co' },
      ...{ method: 'GET', target: '/a%20b?c', url: 'https://E.co:8443/a%20b?c' },
      requestHeaders: { fields: [{ name: 'Host', value: 'e.co:8443' }], absent: [], complete: true, withheld: [] },
      response: undefined,
    });
  });

  it.each([
    ['http://e.co', { target: '/', tls: { version: '', cipherSuite: '', serverName: '' } }],
    ['http://e.co?a', { target: '/?a' }],
    ['https://[2001:db8::1]/', { tls: { serverName: '' } }],
    ['/a?b#c', { target: '/a?b', url: undefined }],
  ])('takes from the URL: %s', (url, expected) => {
    expect(described('--url', url)).toMatchObject(expected);
  });

  it('has the headers that curl sends', () => {
    expect(fields('-H', 'x-a: 1', '-H', 'X-A:2', '-H', 'X-B;')).toEqual(['Host: e.co', 'X-A: 1', 'X-A: 2', 'X-B: ']);
    expect(fields('-H', 'Host: f.co')).toEqual(['Host: f.co']);
    expect(fields('-d', 'ä=1')).toEqual([
      'Host: e.co',
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 4',
    ]);
    expect(fields('-d', '{}', '-H', 'content-type: application/json')).toContain('Content-Type: application/json');
    expect(described('--url', '/', '-d', 'a').method).toBe('POST');
    expect(described('--url', '/', '-d', 'a', '-X', 'PUT').method).toBe('PUT');
  });

  it('has a response if an option describes one', () => {
    const args = ['--url', '/', '--status', '404', '--response-header', 'server: x'];
    expect(described(...args).response).toEqual({
      ...{ status: 404, bodySize: undefined },
      headers: { fields: [{ name: 'Server', value: 'x' }], absent: [], complete: true, withheld: [] },
    });
    expect(described(...args, '--incomplete').response?.headers.complete).toBe(false);
  });

  it('has the given facts about the client', () => {
    const args = ['--client-ip', '2001:db8::1', '--country', 'de', '--geo', 'city=Berlin,asn=AS3320', '--tls', '1.3'];
    expect(
      described('--url', 'https://e.co/', ...args, '--time', '2026-03-02T10:15:30Z', '--protocol', 'HTTP/2.0'),
    ).toMatchObject({
      clientIp: '2001:db8::1',
      geo: { countryCode: 'DE', city: 'Berlin', asNumber: 3320 },
      tls: { version: 'TLS 1.3', serverName: 'e.co' },
      ...{ time: Date.UTC(2026, 2, 2, 10, 15, 30), protocol: 'HTTP/2.0' },
    });
    expect(described('--url', 'https://e.co/', '--tls', 'none').tls.version).toBe('');
  });

  it.each(['::ffff:192.0.2.1', '[::FFFF:c000:201]', '::ffff:192.0.2.1%eth0'])(
    'normalizes the client address: %s',
    ip => {
      expect(described('--url', '/', '--client-ip', ip).clientIp).toBe('192.0.2.1');
    },
  );

  it('is a bare connection without a URL', () => {
    expect(described('--client-ip', '203.0.113.7')).toMatchObject({
      method: undefined,
      requestHeaders: { complete: false },
    });
  });

  it('overrides a recorded exchange', () => {
    const recorded = described(
      '--url',
      'https://e.co/a',
      '-H',
      'X-A: 1',
      '-H',
      'X-B: 1',
      '--country',
      'DE',
      '--client-ip',
      '192.0.2.1',
    );
    const changed = withOptions(
      recorded,
      optionsOf('-H', 'X-A: 2', '-H', 'X-B:', '-X', 'DELETE', '--client-ip', '192.0.2.2'),
    );
    expect(changed).toMatchObject({ method: 'DELETE', url: 'https://e.co/a', clientIp: '192.0.2.2', geo: undefined });
    expect(changed.requestHeaders).toMatchObject({
      fields: [
        { name: 'Host', value: 'e.co' },
        { name: 'X-A', value: '2' },
      ],
      absent: ['x-b'],
    });
    expect(withOptions(recorded, optionsOf('--url', 'http://f.co/')).requestHeaders.fields[0]).toEqual({
      name: 'X-A',
      value: '1',
    });
  });

  it.each([
    [['-H', 'no colon'], 'expected a header'],
    [['-H', 'a b: c'], 'expected a header'],
    [['--country', 'Germany'], 'expected a two-letter country code'],
    [['--geo', 'town=Berlin'], 'expected a field and value such as `city=Berlin`, found `town=Berlin`'],
    [['--tls', '2.0'], 'expected a version'],
    [['--status', '20'], 'expected a three-digit status code'],
    [['--time', 'noon'], 'expected a time'],
    [['--url', 'e.co'], '`--url` expects a URL such as `https://example.com/a`, or a path, found `e.co`'],
    [['--url', 'ftp://e.co/'], '`--url` expects a URL'],
    [['--url', '/', '--client-ip', '10.0.0'], '`--client-ip` expects an IP address, found `10.0.0`'],
  ])('rejects invalid options: %j', (args, message) => {
    expect(() => described(...args)).toThrow(message);
  });

  it('accepts every geolocation field of a record', () => {
    expect(GEO_CHOICES).toEqual(GEO_FIELDS);
  });
});

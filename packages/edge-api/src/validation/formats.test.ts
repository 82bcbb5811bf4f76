import { describe, expect, it } from 'vitest';
import type { FormatName } from '../definition/field.ts';
import { FORMATS } from './formats.ts';

describe('string formats', () => {
  it.each<readonly [FormatName, readonly string[], readonly string[]]>([
    [
      'host-and-port',
      ['a.example:443', '[::1]:80', 'localhost:1'],
      ['a.example', 'a:b', ':80', 'a/b:80', '::1:80', 'a@b:1'],
    ],
    ['port-range', ['a:1', 'a:65535', 'no port'], ['a:0', 'a:65536', 'a:9999999999']],
    [
      'route-selector',
      ['/', '/api/v1', 'a.example', 'a.example/api', '*.a.example'],
      ['', 'a b', '/a b', 'a.example /b', '-'],
    ],
    [
      'domain',
      ['a.example', '*.a.example', 'a-b.example', 'xn--bcher-kva.example'],
      ['', 'a..b', '-a.example', 'a.example.', 'a b'],
    ],
    ['email', ['a@b.example', 'a.b+c@b.example'], ['a', '@b.example', 'a@', 'a b@c.example', 'a@b@c.example']],
    ['header-name', ['x-a', 'X_A', 'a!#$%&*+.^`|~'], ['', 'a b', 'a:', 'é', '(a)']],
    ['header-value', ['', 'a\tb', 'ünï'], ['a\nb', 'a\rb', '\u0000', '\u007f']],
    [
      'cidr',
      ['0.0.0.0/0', '192.0.2.1/32', '::/0', '2001:db8::/128'],
      ['192.0.2.0', '192.0.2.0/33', '::/129', '1.2.3/8', 'a/8', '10.0.0.0/08', '/8', '10.0.0.0/'],
    ],
    [
      'cidr-lowest-address',
      ['10.0.0.0/8', '192.0.2.1/32', '2001:db8::/32', '::ffff:10.0.0.0/104', 'no range'],
      ['10.0.0.1/8', '2001:db8::1/64'],
    ],
    ['github-team', ['org/team', '42'], ['org', 'org/', '/team', 'a/b/c']],
    ['cookie-prefix', ['', 'svc.', 'A1.'], ['a-b', 'a b', 'é']],
    [
      'aws-role-arn',
      ['arn:aws:iam::123456789012:role/a', 'arn:aws-cn:iam::123456789012:role/p/a'],
      ['arn:aws:iam::1:role/a', 'arn:aws:s3:::a'],
    ],
    [
      'url',
      ['https://a.example/x', 'http://[::1]:80', 'tcp://a.example:1', 'tls://a.example'],
      ['', '/x', 'ftp://a', 'javascript:1', 'https://'],
    ],
    [
      'saml-metadata',
      ['<EntityDescriptor>', '<?xml version="1.0"?>\n<!-- x --><md:EntityDescriptor a="b">'],
      ['', '<EntitiesDescriptor>', 'x<EntityDescriptor>'],
    ],
    [
      'timestamp',
      ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.123+02:00'],
      ['2026-03-01', '2026-13-01T09:30:00Z', 'now'],
    ],
    ['lower-case', ['a', 'ß'], ['A', 'É']],
  ])('%s', (format, having, lacking) => {
    const { holds } = FORMATS[format];
    expect(having.filter(text => !holds(text))).toEqual([]);
    expect(lacking.filter(holds)).toEqual([]);
  });

  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.0.2.255/25', '192.0.2.128/25'],
    ['2001:db8::ff/120', '2001:db8::/120'],
    ['::ffff:10.1.2.3/104', '::ffff:10.0.0.0/104'],
    ['fe80::1/10', 'fe80::/10'],
  ])('suggest the lowest address for %s: %s', (range, lowest) => {
    expect(FORMATS['cidr-lowest-address'].expected(range)).toBe(lowest);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1/32'],
    ['::1', '::1/128'],
  ])('suggest a range for the address %s: %s', (address, range) => {
    expect(FORMATS['cidr-mask'].expected(address)).toBe(range);
  });

  it('are checked in linear time', () => {
    const long = 'a'.repeat(200_000);
    const hostile = [
      '.'.repeat(100_000),
      `${'a.'.repeat(100_000)}!`,
      `<!--${'<!--'.repeat(50_000)}`,
      '-----BEGIN A-----'.repeat(5_000),
    ];
    const holding = Object.entries(FORMATS).filter(([, { holds }]) => [long, ...hostile].every(holds));
    expect(holding.map(([name]) => name)).not.toContain('domain');
  });
});

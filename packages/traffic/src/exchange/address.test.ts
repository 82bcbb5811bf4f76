import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeAddress, spelledAddress } from './address.ts';

describe.each([normalizeAddress, spelledAddress])('an address, read by $name,', normalize => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['[::ffff:192.0.2.1]', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['::ffff:192.0.2.1:443', '192.0.2.1'],
    ['::ffff:192.0.2.1%eth0', '192.0.2.1'],
    ['[::ffff:192.0.2.1%25eth0]:80', '192.0.2.1'],
    ['::ffff:192.0.2.1, 10.0.0.1', '192.0.2.1'],
    ['192.0.2.1:443', '192.0.2.1'],
    ['203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['203.0.113.7,', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]', 'fe80::1'],
    ['::192.0.2.1', '::c000:201'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ])('is recognized in every spelling: %s', (written, address) => {
    expect(normalize(written)).toBe(address);
  });

  it.each([
    '',
    '-',
    'unknown',
    'e.co',
    '192.0.2',
    '192.0.2.256',
    '[192.0.2.1',
    '::ffff:192.0.2.1:x',
    '_hidden',
    'unix:',
  ])('is not read from %s', text => {
    expect(normalize(text)).toBeUndefined();
  });

  it('is written as the URL standard serializes it, wherever its zeros are', () => {
    const group = fc.oneof(
      fc.constant('0'),
      fc.constant('0'),
      fc.constantFrom('1', '0a', '00', 'FF', 'abcd', '12345', 'g', ''),
    );
    const written = fc
      .tuple(fc.array(group, { minLength: 6, maxLength: 9 }), fc.nat(9), fc.nat(5), fc.boolean())
      .map(([groups, start, length, isShort]) =>
        isShort ? `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}` : groups.join(':'),
      );
    fc.assert(
      fc.property(written, text => {
        if (isIP(text) !== 0) expect(normalize(text)).toBe(new URL(`http://[${text}]/`).hostname.slice(1, -1));
      }),
      { numRuns: 3000 },
    );
  });

  it('is recognized if the platform does, and normalizing it again changes nothing', () => {
    const number = fc.oneof(
      fc.nat(300).map(String),
      fc.constantFrom('', '00', '01', '1e1', ' 1', '-1', 'a', '256', '0'),
    );
    const numbers = fc.array(number, { minLength: 3, maxLength: 5 }).map(parts => parts.join('.'));
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), numbers), text => {
        const found = normalize(text);
        expect(found !== undefined).toBe(isIP(text.trim()) !== 0);
        if (found !== undefined) expect(normalize(found)).toBe(found);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for all spellings of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 1, max: 65_535 }), (address, port) => {
        const [one, two, three, four] = address.split('.').map(Number) as [number, number, number, number];
        const hex = `${(one * 256 + two).toString(16)}:${(three * 256 + four).toString(16)}`;
        const mapped = [`::ffff:${address}`, `::ffff:${hex}`, `0:0:0:0:0:FFFF:${hex}`];
        const spellings = mapped.flatMap(text => [text, `[${text}]`, `[${text}]:${port}`, `${text}%1`]);
        for (const text of [...spellings, `::ffff:${address}:${port}`])
          expect([text, normalize(text)]).toEqual([text, address]);
      }),
    );
  });
});

import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  base64ToBytes,
  bytesToBase64,
  bytesToHex,
  bytesToLatin1,
  bytesToUtf8,
  concatBytes,
  deepEqual,
  hexToBytes,
  ipVersion,
  latin1ToBytes,
  utf8ToBytes,
} from './portable.ts';

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
const bytes = fc.uint8Array();
const nodeBytes = (source: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(source, encoding));

describe('bytes', () => {
  it('encodes and decodes UTF-8 as Node does', () => {
    fc.assert(fc.property(text, source => void expect(utf8ToBytes(source)).toEqual(nodeBytes(source, 'utf8'))));
    fc.assert(
      fc.property(bytes, source => void expect(bytesToUtf8(source)).toBe(Buffer.from(source).toString('utf8'))),
    );
  });

  it('keeps a byte order mark and replaces what is invalid', () => {
    expect(bytesToUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff))).toBe('\ufeffa\ufffd');
    expect(utf8ToBytes('\ud800')).toEqual(Uint8Array.of(0xef, 0xbf, 0xbd));
  });

  it('encodes and decodes Latin-1 as Node does, of any length', () => {
    fc.assert(fc.property(text, source => void expect(latin1ToBytes(source)).toEqual(nodeBytes(source, 'latin1'))));
    fc.assert(
      fc.property(bytes, source => void expect(bytesToLatin1(source)).toBe(Buffer.from(source).toString('latin1'))),
    );
    const long = Uint8Array.from({ length: 20_000 }, (_, index) => index);
    expect(bytesToLatin1(long)).toBe(Buffer.from(long).toString('latin1'));
  });

  it('encodes and decodes hexadecimal digits as Node does', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFgx %') });
    fc.assert(fc.property(bytes, source => void expect(bytesToHex(source)).toBe(Buffer.from(source).toString('hex'))));
    fc.assert(fc.property(digits, source => void expect(hexToBytes(source)).toEqual(nodeBytes(source, 'hex'))));
  });

  it('encodes and decodes base64 and base64url as Node does', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'AZaz09+/-_ \n.,é€', 'YQ', 'Zm9v') });
    const padded = fc.tuple(digits, fc.constantFrom('', '=', '==', '== \n')).map(parts => parts.join(''));
    fc.assert(
      fc.property(bytes, source => void expect(bytesToBase64(source)).toBe(Buffer.from(source).toString('base64'))),
    );
    fc.assert(fc.property(padded, source => void expect(base64ToBytes(source)).toEqual(nodeBytes(source, 'base64'))));
  });

  it('joins parts', () => {
    expect(concatBytes([])).toEqual(new Uint8Array());
    expect(concatBytes([Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3)])).toEqual(Uint8Array.of(1, 2, 3));
  });
});

describe('deepEqual', () => {
  it('compares plain data as Node does', () => {
    const data = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(data, data, (one, other) => void expect(deepEqual(one, other)).toBe(isDeepStrictEqual(one, other))),
    );
    fc.assert(fc.property(data, one => void expect(deepEqual(one, structuredClone(one))).toBe(true)));
  });

  it.each([
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [{ a: undefined }, {}],
    [{ a: undefined }, { b: undefined }],
    [0, -0],
    [Number.NaN, Number.NaN],
    [[], {}],
    [[1], ['1']],
    [null, {}],
    [null, undefined],
    [Uint8Array.of(1), Uint8Array.of(1)],
    [Uint8Array.of(1), Uint8Array.of(2)],
    [Uint8Array.of(1), [1]],
    [Object.create(null), {}],
    [Object.create(null), Object.create(null)],
  ])('compares %o and %o as Node does', (one: unknown, other: unknown) => {
    expect(deepEqual(one, other)).toBe(isDeepStrictEqual(one, other));
  });
});

describe('ipVersion', () => {
  const part = fc.constantFrom('0', '00', '1', '9', '10', '255', '256', 'f', 'ffff', '12345', '', '::', '1.2.3.4');
  const likely = fc.array(fc.tuple(part, fc.constantFrom(':', '.', '::', ''))).map(parts => parts.flat().join(''));

  it('recognizes addresses as Node does', () => {
    const check = (address: string) => void expect(ipVersion(address)).toBe(isIP(address));
    fc.assert(fc.property(fc.oneof(likely, fc.ipV4(), fc.ipV6(), fc.string()), check), { numRuns: 1000 });
  });

  it.each([
    '1.2.3.4',
    '1.2.3.04',
    '1.2.3.4.',
    '1.2.3',
    '1.2.3.4\n',
    '::',
    ':::',
    '1:2:3:4:5:6:7::',
    '1:2:3:4:5:6:7:8::',
    '::ffff:1.2.3.4',
    '::1.2.3.04',
    'fe80::1%eth0',
    'fe80::1%',
    '[::1]',
    '::1\n',
    ' ::1',
    '::1/64',
    '',
  ])('recognizes %j as Node does', address => {
    expect(ipVersion(address)).toBe(isIP(address));
  });
});

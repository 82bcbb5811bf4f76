import { expect, it } from 'vitest';
import { isRetired, tlsVersionNumber } from './tls-versions.ts';

it.each([
  ['TLS 1.3', '1.3'],
  ['1.2', '1.2'],
  ['TLSv1.2', '1.2'],
  ['TLSv1', '1.0'],
  ['tls1_1', '1.1'],
  ['SSLv3', undefined],
  ['1.4', undefined],
  ['', undefined],
])('reads the TLS version %j as %j', (text, number) => {
  expect(tlsVersionNumber(text)).toBe(number);
});

it('knows the deprecated versions', () => {
  expect(['TLS 1.0', '1.1', '1.2', 'TLS 1.3'].filter(isRetired)).toEqual(['TLS 1.0', '1.1']);
});

import { expect, it } from 'vitest';
import { cipherSuiteIn } from './record-exchange.ts';

it.each([
  ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ['ECDHE-RSA-AES128-GCM-SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
  ['ECDHE-ECDSA-CHACHA20-POLY1305', 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256'],
  ['ECDHE-ECDSA-AES256-CCM8', 'TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8'],
  ['DHE-RSA-AES256-SHA256', 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA256'],
  ['AES256-SHA', 'TLS_RSA_WITH_AES_256_CBC_SHA'],
  ['DES-CBC3-SHA', 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'],
  ['AEAD-CHACHA20-POLY1305-SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
  ['PSK-AES128-CCM', undefined],
  ['(NONE)', undefined],
  ['', ''],
])('returns the IANA name of %s', (name, iana) => {
  expect(cipherSuiteIn(name)).toBe(iana);
});

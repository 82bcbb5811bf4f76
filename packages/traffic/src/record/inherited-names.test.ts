import { expect, it } from 'vitest';
import { cipherSuiteIn } from './values/cipher-suite.ts';
import { protocolIn } from './values/read-value.ts';
import { tlsVersionIn } from './values/tls-version.ts';

it.each([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])(
  'reads `%s` as a string like any other',
  name => {
    for (const read of [protocolIn, tlsVersionIn, cipherSuiteIn])
      expect(['string', 'undefined']).toContain(typeof read(name));
    expect(cipherSuiteIn(`${name}-AES128-SHA`) ?? '').not.toContain('native code');
  },
);

import { expect, it } from 'vitest';
import { cipherSuiteIn } from './cipher-suite.ts';
import { protocolIn } from './read-value.ts';
import { tlsVersionIn } from './tls-version.ts';

it.each([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])(
  'reads `%s` as a string like any other',
  name => {
    for (const read of [protocolIn, tlsVersionIn, cipherSuiteIn])
      expect(['string', 'undefined']).toContain(typeof read(name));
    expect(cipherSuiteIn(`${name}-AES128-SHA`) ?? '').not.toContain('native code');
  },
);

import { expect, it } from 'vitest';
import { protocolIn, tlsVersionIn } from './field-values.ts';
import { cipherSuiteIn } from './record-exchange.ts';

it.each([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])(
  'reads `%s` as a string like any other',
  name => {
    for (const read of [protocolIn, tlsVersionIn, cipherSuiteIn])
      expect(['string', 'undefined']).toContain(typeof read(name));
    expect(cipherSuiteIn(`${name}-AES128-SHA`) ?? '').not.toContain('native code');
  },
);

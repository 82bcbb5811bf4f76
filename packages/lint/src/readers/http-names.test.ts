import { METHODS } from 'node:http';
import { expect, it } from 'vitest';
import { HTTP_METHODS } from './http-names.ts';

/** Methods that Node parses and the registry does not contain: UPnP, caches and streaming servers. */
const NOT_REGISTERED = ['M-SEARCH', 'NOTIFY', 'PURGE', 'SOURCE', 'SUBSCRIBE', 'UNSUBSCRIBE'];

it('the methods are those that Node parses, except for unregistered ones', () => {
  expect(METHODS.filter(method => !HTTP_METHODS.has(method))).toEqual(NOT_REGISTERED);
  expect([...HTTP_METHODS].filter(method => !/^[A-Z]+(?:-[A-Z]+)*$/.test(method))).toEqual([]);
});

import { PARAMETER_PREFIX, REPLACEMENT_VARIABLES } from '@tollgate/catalog';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { authorityOf, decodedPath, decodedPathIn, expandVariables, plainTarget, splitUrl, targetOf } from './url.ts';

it.each([
  ['https://u:p@e.co:8443/a/b?c=d#e', ['https', 'u:p', 'e.co', '8443', '/a/b', 'c=d']],
  ['HTTP://[::1]:80', ['http', '', '[::1]', '80', '', undefined]],
  ['/a?', ['', '', '', '', '/a', '']],
  ['/a?b=http://x/', ['', '', '', '', '/a', 'b=http://x/']],
  ['*', ['', '', '', '', '*', undefined]],
  ['https://e.co/https://e.co/x', ['https', '', 'e.co', '', '/https://e.co/x', undefined]],
])('splits %j', (text, [scheme, user, host, port, path, query]) => {
  expect(splitUrl(text)).toEqual({ scheme, user, host, port, path, query });
});

it.each([
  ['https://e.co', '/', 'e.co', ''],
  ['https://e.co:1/%61%20b?x=%61', '/a b', 'e.co:1', '/%61%20b?x=%61'],
  ['/%zz', '/%zz', '', '/%zz'],
])('returns path, authority and target of %j', (text, path, authority, target) => {
  const parts = splitUrl(text);
  expect([decodedPath(parts), authorityOf(parts), targetOf(parts)]).toEqual([path, authority, target]);
});

it('returns the same path and query with and without splitting', () => {
  const start = fc.constantFrom(
    '',
    'http://e.co',
    'https://e.co',
    'https://e.co:8443',
    'https://u@e.co',
    'HTTP://e.co',
    '//',
  );
  const rest = fc.string({ unit: fc.constantFrom('/', 'a', '?', '#', '%', ':', '@', 'é'), maxLength: 8 });
  fc.assert(
    fc.property(start, rest, (one, other) => {
      const plain = plainTarget(one + other);
      expect(decodedPathIn(one + other)).toBe(decodedPath(splitUrl(one + other)));
      if (plain !== undefined) expect(plain).toBe(targetOf(splitUrl(one + other)));
    }),
    { numRuns: inject('isDeep') ? 2000 : 500 },
  );
});

const URL = 'https://ada:pw@e.example:8443/a?page=2';

it.each(REPLACEMENT_VARIABLES.map(({ name }) => name))('expands the catalog variable $%s', name => {
  expect(expandVariables(`$${name}`, URL)).not.toContain('$');
});

it('expands query parameters', () => {
  expect(expandVariables(`$${PARAMETER_PREFIX}page`, URL)).toBe('2');
});

import { expect, it } from 'vitest';
import { exchangeOf, queryParams } from './request.ts';

it.each([
  ['a=1&b=2&a=3', { a: ['1', '3'], b: ['2'] }],
  ['a&b=&=c', { a: [''], b: [''], '': ['c'] }],
  ['q=a+b%20c%2Bd', { q: ['a b c+d'] }],
  ['a=1;b=2&c=3', { c: ['3'] }],
  ['a=%zz&b=%4&c=3', { c: ['3'] }],
  ['a=%FF', { a: ['\ufffd'] }],
  ['', {}],
])('parses the query %j', (query, params) => {
  expect(queryParams(query)).toEqual(params);
});

it('treats `__proto__` like any other parameter', () => {
  const params = queryParams('__proto__=1');
  expect(Object.keys(params)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
});

it.each([
  ['http://a.example/x/../admin', '/admin'],
  ['http://a.example/%2e%2e/admin?q=/../', '/admin?q=/../'],
  ['http://A.Example:80/a"b', '/a%22b'],
  ['http://a.example', '/'],
])('has the path of the `fetch` request %s without `..`, as handlers read it', (url, target) => {
  const { url: found, ...exchange } = exchangeOf({ method: 'GET', url, headers: new Headers() });
  expect([exchange.target, found]).toEqual([target, new URL(url).href]);
});

it('reads headers and targets of Node, a character for each byte, as UTF-8 where they are', () => {
  const rawHeaders = ['Host', 'a.example', 'X-Text', 'Ã¼', 'X-Latin', 'ü'];
  const { target, requestHeaders } = exchangeOf({ method: 'GET', url: '/Ã¼', rawHeaders });
  expect([target, ...requestHeaders.fields.slice(1).map(({ value }) => value)]).toEqual(['/ü', 'ü', 'ü']);
});

it('reads headers of `fetch`, a character for each byte, as UTF-8 where they are', () => {
  const headers = new Headers([
    ['x-text', 'Ã¼'],
    ['x-latin', 'ü'],
  ]);
  const { fields } = exchangeOf({ method: 'GET', url: 'http://a.example/', headers }).requestHeaders;
  expect(fields.slice(1).map(({ value }) => value)).toEqual(['ü', 'ü']);
});

import { expect, it } from 'vitest';
import { queryParams } from './request.ts';

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

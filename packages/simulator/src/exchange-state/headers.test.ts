import { Unknown } from '@tollgate/cel';
import { UnknownPresence, wholeOf } from '@tollgate/cel/tooling';
import { describe, expect, it } from 'vitest';
import { sniffContentType } from '../actions/answers.ts';
import { dialectOf } from './dialect.ts';
import {
  firstHeader,
  headerMapOf,
  headerValues,
  joinHeaderMaps,
  readMediaType,
  replaceHeader,
  withHeader,
} from './headers.ts';

const DIALECT = dialectOf({ headerNames: 'canonical' });

const COMPLETE = headerMapOf(
  {
    fields: [
      { name: 'x-a', value: '1' },
      { name: 'X-A', value: '2' },
      { name: '__proto__', value: '3' },
    ],
    absent: [],
    complete: true,
    withheld: ['x-secret', 'x-a'],
  },
  'req.Headers',
  DIALECT,
);
const PARTIAL = headerMapOf(
  { fields: [{ name: 'user-agent', value: 'x' }], absent: ['referer'], complete: false, withheld: [] },
  'req.Headers',
  DIALECT,
);

function unknown(...attributes: string[]): Unknown {
  return new Unknown(attributes);
}

function maybeAbsent(...attributes: string[]): Unknown {
  return new UnknownPresence(attributes);
}

describe('a map of headers', () => {
  it('collects the values of a name in canonical form', () => {
    expect(Object.entries(COMPLETE)).toEqual([
      ['X-A', ['1', '2']],
      ['__proto__', ['3']],
      ['X-Secret', maybeAbsent('req.Headers["X-Secret"]')],
    ]);
    expect(Object.getPrototypeOf(COMPLETE)).toBe(Object.prototype);
  });

  it('distinguishes absent headers from unknown ones', () => {
    expect(wholeOf(PARTIAL)).toBe('req.Headers');
    expect(firstHeader(PARTIAL, 'User-Agent')).toBe('x');
    expect(headerValues(PARTIAL, 'Referer')).toBeUndefined();
    expect(headerValues(PARTIAL, 'X-B')).toStrictEqual(maybeAbsent('req.Headers["X-B"]'));
    expect(headerValues(COMPLETE, 'X-B')).toBeUndefined();
  });

  it('adds values to existing ones, and leaves the original map unchanged', () => {
    expect(headerValues(withHeader(COMPLETE, 'X-A', '3'), 'X-A')).toEqual(['1', '2', '3']);
    expect(headerValues(withHeader(PARTIAL, 'Referer', 'y'), 'Referer')).toEqual(['y']);
    expect(headerValues(withHeader(PARTIAL, 'X-B', 'y'), 'X-B')).toStrictEqual(unknown('req.Headers["X-B"]'));
    expect(Object.keys(withHeader(COMPLETE, '__proto__', '4'))).toEqual(['X-A', '__proto__', 'X-Secret']);
    expect(headerValues(COMPLETE, 'X-A')).toEqual(['1', '2']);
  });

  it('knows that a removed header is absent', () => {
    expect(headerValues(replaceHeader(PARTIAL, 'X-B', undefined), 'X-B')).toBeUndefined();
  });

  it('knows what two maps have in common', () => {
    const joined = joinHeaderMaps(withHeader(PARTIAL, 'Referer', 'y'), PARTIAL, ['why']);
    expect(headerValues(joined, 'Referer')).toStrictEqual(maybeAbsent('why'));
    expect(headerValues(joined, 'User-Agent')).toEqual(['x']);
    expect(headerValues(joined, 'X-B')).toStrictEqual(maybeAbsent('req.Headers["X-B"]'));
    const both = joinHeaderMaps(COMPLETE, withHeader(COMPLETE, 'X-A', '3'), ['why']);
    expect(headerValues(both, 'X-A')).toStrictEqual(unknown('why'));
  });

  it('distinguishes what may be present from what is, even if both depend on the same inputs', () => {
    const maybe = replaceHeader(COMPLETE, 'X-C', maybeAbsent('why'));
    const there = withHeader(maybe, 'X-C', '1');
    for (const joined of [joinHeaderMaps(maybe, there, ['other']), joinHeaderMaps(there, maybe, ['other'])])
      expect(headerValues(joined, 'X-C')).toStrictEqual(maybeAbsent('other'));
  });
});

it.each([
  ['text/html', 'text/html', {}],
  ['Text/HTML; Charset=UTF-8', 'text/html', { charset: 'UTF-8' }],
  ['a/b ; x="1;\\"2"; y=3;; z', 'a/b', { x: '1;"2', y: '3' }],
  ['', '', {}],
  ['a/b; __proto__=c', 'a/b', { ['__proto__']: 'c' }],
])('reads the media type %j', (text, type, parameters) => {
  expect(readMediaType(text)).toEqual({ type, parameters });
});

it.each([
  ['  <!DOCTYPE html>', 'text/html; charset=utf-8'],
  ['<p>hello', 'text/html; charset=utf-8'],
  ['<path>', 'text/plain; charset=utf-8'],
  ['<!-- a', 'text/html; charset=utf-8'],
  ['<?xml version="1.0"?>', 'text/xml; charset=utf-8'],
  ['{"a": 1}', 'text/plain; charset=utf-8'],
  ['a\u0000b', 'application/octet-stream'],
])('detects %j as %s', (text, type) => {
  expect(sniffContentType(text)).toBe(type);
});

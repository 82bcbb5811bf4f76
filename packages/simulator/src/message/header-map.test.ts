import { Unknown, UnknownPresence, wholeOf } from '@tollgate/cel';
import { describe, expect, it } from 'vitest';
import { firstHeader, headerMapOf, headerValues, joinHeaderMaps, replaceHeader, withHeader } from './header-map.ts';

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
);
const PARTIAL = headerMapOf(
  { fields: [{ name: 'user-agent', value: 'x' }], absent: ['referer'], complete: false, withheld: [] },
  'req.Headers',
);

function unknown(...attributes: string[]): Unknown {
  return new Unknown(attributes);
}

function maybeAbsent(...attributes: string[]): Unknown {
  return new UnknownPresence(attributes);
}

describe('a map of headers', () => {
  it('gathers the values of a name in canonical form', () => {
    expect(Object.entries(COMPLETE)).toEqual([
      ['X-A', ['1', '2']],
      ['__proto__', ['3']],
      ['X-Secret', maybeAbsent('req.Headers["X-Secret"]')],
    ]);
    expect(Object.getPrototypeOf(COMPLETE)).toBe(Object.prototype);
  });

  it('tells absent headers from unknown ones', () => {
    expect(wholeOf(PARTIAL)).toBe('req.Headers');
    expect(firstHeader(PARTIAL, 'user-AGENT')).toBe('x');
    expect(headerValues(PARTIAL, 'referer')).toBeUndefined();
    expect(headerValues(PARTIAL, 'x-b')).toStrictEqual(maybeAbsent('req.Headers["X-B"]'));
    expect(headerValues(COMPLETE, 'x-b')).toBeUndefined();
  });

  it('adds values to those that are there, and leaves the map as it was', () => {
    expect(headerValues(withHeader(COMPLETE, 'x-a', '3'), 'X-A')).toEqual(['1', '2', '3']);
    expect(headerValues(withHeader(PARTIAL, 'referer', 'y'), 'referer')).toEqual(['y']);
    expect(headerValues(withHeader(PARTIAL, 'x-b', 'y'), 'x-b')).toStrictEqual(unknown('req.Headers["X-B"]'));
    expect(Object.keys(withHeader(COMPLETE, '__proto__', '4'))).toEqual(['X-A', '__proto__', 'X-Secret']);
    expect(headerValues(COMPLETE, 'X-A')).toEqual(['1', '2']);
  });

  it('knows a removed header to be absent', () => {
    expect(headerValues(replaceHeader(PARTIAL, 'x-b', undefined), 'x-b')).toBeUndefined();
  });

  it('knows of two maps what they have in common', () => {
    const joined = joinHeaderMaps(withHeader(PARTIAL, 'referer', 'y'), PARTIAL, ['why']);
    expect(headerValues(joined, 'referer')).toStrictEqual(maybeAbsent('why'));
    expect(headerValues(joined, 'user-agent')).toEqual(['x']);
    expect(headerValues(joined, 'x-b')).toStrictEqual(maybeAbsent('req.Headers["X-B"]'));
    const both = joinHeaderMaps(COMPLETE, withHeader(COMPLETE, 'x-a', '3'), ['why']);
    expect(headerValues(both, 'x-a')).toStrictEqual(unknown('why'));
  });
});

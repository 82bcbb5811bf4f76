import { findPattern, replaceAll } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alwaysChanges } from './plan-policy.ts';

describe('whether a replacement changes every string that matches', () => {
  it.each([
    ['/a', '/b'],
    ['^http://(.*)', 'https://$1'],
    ['^https://[^/]*', 'http://f.co'],
    ['https://e.co/', '^.*$'],
    ['[0-9]{3}', 'abc'],
    [String.raw`\ba`, 'b'],
  ])('knows that %s becomes %s', (from, to) => {
    expect(alwaysChanges(from, to)).toBe(true);
  });

  it.each([
    ['/a', '/a'],
    ['(/b).*', '$1/c'],
    ['^a|bab$', 'ab'],
    ['[a-z]', 'x'],
    ['x*', 'y'],
    ['(', 'x'],
    [String.raw`\ba`, 'a'],
  ])('does not know it of %s and %s', (from, to) => {
    expect(alwaysChanges(from, to)).toBe(false);
  });

  it('is right on random patterns and strings', () => {
    const item = fc.constantFrom('a', 'b', '.', '[ab]', 'a*', '(?:ab)', 'b?', 'a{2}', String.raw`\b`, '(a)', 'a|b');
    const pattern = fc.tuple(
      fc.constantFrom('', '^'),
      fc.array(item, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '$'),
    );
    const string = fc.string({ unit: fc.constantFrom('a', 'b', '$', '1', ' '), maxLength: 6 });
    fc.assert(
      fc.property(pattern, string, string, ([start, items, end], to, text) => {
        const from = `${start}${items.join('')}${end}`;
        const matches = [...findPattern(from)(text)];
        if (matches.length > 0 && alwaysChanges(from, to))
          expect(replaceAll(text, findPattern(from), to)).not.toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});

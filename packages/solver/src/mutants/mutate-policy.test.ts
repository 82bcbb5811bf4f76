import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findsAlike, patternMutations } from './mutate-policy.ts';

it.each([
  ['^(.*)$', '(.*)$', true],
  ['^(.*)$', '^(.*)', true],
  ['^(.*)$', '(?i)^(.*)$', true],
  ['^https?://(.*)$', '^https?://(.*)', true],
  ['^https?://(.*)$', 'https?://(.*)$', false],
  ['^https?://(.*)$', '(?i)^https?://(.*)$', false],
  ['(a|.*)$', '(a|.*)', false],
  ['/a[.]*$', '/a[.]*', false],
  ['/a.*?$', '/a.*?', false],
])('knows whether `%s` and `%s` find the same in every URL', (pattern, other, isAlike) => {
  expect(findsAlike(pattern, other)).toBe(isAlike);
});

it('says so of no two patterns that replace something else', () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`seed ${seed}`);
  const part = fc.constantFrom(
    '.*',
    '.*',
    '(.*)',
    '(.*?)',
    '.',
    '/',
    'a',
    '[.]',
    '\\.',
    '(a|b)',
    '(?:/.*)',
    '[^/]+',
    '-',
  );
  const patterns = fc
    .tuple(
      fc.constantFrom('', '(?i)'),
      fc.constantFrom('', '^'),
      fc.array(part, { maxLength: 4 }),
      fc.constantFrom('', '$'),
    )
    .map(([flag, start, parts, end]) => `${flag}${start}${parts.join('')}${end}`)
    .filter(pattern => pattern !== '');
  const texts = fc
    .array(fc.constantFrom('a', 'A', 'b', '/', '.', '-', 'aa', '//'), { maxLength: 8 })
    .map(all => all.join(''));
  let alike = 0;
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 10, maxLength: 10 }), (pattern, urls) => {
      for (const { pattern: other } of patternMutations(pattern)) {
        if (!findsAlike(pattern, other)) continue;
        alike++;
        const found = (one: string) =>
          urls.map(url =>
            regexOf(one)
              .exec(url)
              ?.concat(String(url.search(regexOf(one)))),
          );
        expect({ pattern, other, urls, found: found(other) }).toEqual({ pattern, other, urls, found: found(pattern) });
      }
    }),
    { numRuns: 3000, seed },
  );
  expect(alike).toBeGreaterThan(100);
});

function regexOf(pattern: string): RegExp {
  return pattern.startsWith('(?i)') ? new RegExp(pattern.slice(4), 'i') : new RegExp(pattern);
}

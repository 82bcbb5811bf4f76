import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { simpleGroupCount } from './group-count.ts';
import { patternTree } from './pattern-tree.ts';

it.each([
  ['^(.*)/v1/(.*)$', 2],
  ['http://shop', 0],
  ['^(a|(b+))?$', 2],
  ['(?:a)', undefined],
  ['a[.]b', undefined],
  ['(a', undefined],
  ['a**', undefined],
  ['^*', undefined],
])('counts the groups of %s: %s', (pattern, count) => {
  expect(simpleGroupCount(pattern)).toBe(count);
});

it('agrees with the parsed pattern', () => {
  const pattern = fc.array(fc.constantFrom('a', '/', '.', '(', ')', '*', '+', '?', '|', '^', '$', '-'), {
    maxLength: 9,
  });
  fc.assert(
    fc.property(pattern, signs => {
      const count = simpleGroupCount(signs.join(''));
      if (count !== undefined) expect(patternTree(signs.join(''))?.groups.length).toBe(count);
    }),
    { numRuns: inject('isDeep') ? 20_000 : 4000 },
  );
});

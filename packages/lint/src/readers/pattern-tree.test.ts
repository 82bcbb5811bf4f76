import fc from 'fast-check';
import { analyse } from 'scslre';
import { describe, expect, inject, it } from 'vitest';
import { mayBacktrack, patternTree, simpleGroupCount } from './pattern-tree.ts';

function backtracks(pattern: string): boolean {
  return mayBacktrack(patternTree(pattern)!);
}

describe('mayBacktrack', () => {
  it.each([
    ['(a+)+', true],
    ['a*a*', true],
    ['a*b*a*', true],
    ['x(?:a|b+)*', true],
    ['^(.*)/v0/(.*)$', false],
    ['^(.*)/(.*)$', true],
    ['[a-z]+', false],
    ['(a|b)c(d|e)', false],
    ['(?:a+b|c+)d', false],
  ])('returns for %s: %s', (pattern, expected) => {
    expect(backtracks(pattern)).toBe(expected);
  });

  it('returns true for every pattern that the analyser reports', () => {
    const parts = ['a', 'b', '/v', '.', '[ab]', '(a|b)', '(ab)', '(a+)', '(?:b*a)'];
    const loops = ['', '*', '+', '{2,}', '{0,3}'];
    const missed: string[] = [];
    for (const [index, first] of parts.entries()) {
      for (const [at, second] of parts.entries()) {
        const third = parts[(index * 3 + at * 5) % parts.length]!;
        for (const loop of loops) {
          const pattern = `^${first}${loop}${second}${loops[(index + at) % loops.length]}(${third}x*)${loop}!`;
          const { reports } = analyse(
            { source: pattern, flags: '' },
            { reportTypes: { Move: false }, assumeRejectingSuffix: true },
          );
          if (reports.length > 0 && !backtracks(pattern)) missed.push(pattern);
        }
      }
    }
    expect(missed).toEqual([]);
  });
});

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

import { describe, expect, it } from 'vitest';
import { backtrackingAnalyser } from './analysers.ts';
import { mayBacktrack } from './may-backtrack.ts';
import { patternTree } from './pattern-tree.ts';

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
          const { reports } = backtrackingAnalyser().analyse(
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

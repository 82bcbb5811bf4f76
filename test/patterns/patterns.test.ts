import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCEPTED, DYNAMIC } from './accepted.ts';
import { sourcePatterns } from './source-patterns.ts';
import type { Verdict } from './verdict.ts';

const VERDICTS: Readonly<Record<string, Verdict>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'verdicts.json'), 'utf8'),
);

const { patterns, dynamic } = sourcePatterns();

describe('regular expressions of the sources', () => {
  it('have all been checked, and nothing else: `npm run check:patterns -- --update`', () => {
    expect(Object.keys(VERDICTS).toSorted()).toEqual([...patterns].toSorted());
  });

  it('are constant, or built at run time for a reason', () => {
    const files = new Set(dynamic.map(where => where.slice(0, where.lastIndexOf(':'))));
    expect([...files].toSorted()).toEqual(Object.keys(DYNAMIC).toSorted());
  });

  it('take linear time, or are accepted with a reason', () => {
    const slow = Object.entries(VERDICTS).filter(([, { complexity }]) => !['safe', 'linear'].includes(complexity));
    expect(slow.map(([written]) => written).toSorted()).toEqual(Object.keys(ACCEPTED).toSorted());
  });

  it('are never exponential', () => {
    expect(Object.values(VERDICTS).filter(one => one.complexity === 'exponential')).toEqual([]);
  });
});

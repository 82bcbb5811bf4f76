import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCEPTED } from './accepted.ts';
import { sourcePatterns } from './source-patterns.ts';
import type { Verdict } from './verdict.ts';

const VERDICTS: Readonly<Record<string, Verdict>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'verdicts.json'), 'utf8'),
);

describe('regular expressions of the sources', () => {
  it('have all been checked, and nothing else: `node test/patterns/check-patterns.ts`', () => {
    expect(Object.keys(VERDICTS).toSorted()).toEqual([...sourcePatterns().literals.keys()].toSorted());
  });

  it('take linear time, or are accepted with a reason', () => {
    const slow = Object.entries(VERDICTS).filter(([, { complexity }]) => !['safe', 'linear'].includes(complexity));
    expect(slow.map(([written]) => written).toSorted()).toEqual(Object.keys(ACCEPTED).toSorted());
  });

  it('are never exponential', () => {
    expect(Object.values(VERDICTS).filter(one => one.complexity === 'exponential')).toEqual([]);
  });
});

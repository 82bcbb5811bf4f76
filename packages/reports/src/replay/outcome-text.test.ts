import type { PolicySummary } from '@tollgate/simulator';
import { describe, expect, it } from 'vitest';
import { rewrittenText } from './outcome-text.ts';

describe('the line about rewritten URLs', () => {
  it.each<[PolicySummary['rewritten'], string | undefined]>([
    [undefined, undefined],
    [{ least: 0, most: 0 }, undefined],
    [{ least: 1, most: 1 }, 'URL rewritten for 1 exchange'],
    [{ least: 0, most: 2 }, 'URL rewritten for 0–2 exchanges'],
  ])('appears if there are any: %j', (rewritten, expected) => {
    expect(rewrittenText({ rewritten } as PolicySummary)).toBe(expected);
  });
});

import type { PolicySummary } from '@tollgate/simulator';
import { describe, expect, it } from 'vitest';
import { rewrittenText } from './outcome-text.ts';

describe('the line on rewritten URLs', () => {
  it.each<[PolicySummary['rewritten'], string | undefined]>([
    [undefined, undefined],
    [{ least: 0, most: 0 }, undefined],
    [{ least: 1, most: 1 }, 'the URL of 1 exchange was rewritten'],
    [{ least: 0, most: 2 }, 'the URL of 0–2 exchanges was rewritten'],
  ])('is there when some was: %j', (rewritten, expected) => {
    expect(rewrittenText({ rewritten } as PolicySummary)).toBe(expected);
  });
});

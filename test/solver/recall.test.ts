import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { knownConditions } from '../../scripts/reference/conditions.ts';

const ROOT = new URL('../../', import.meta.url);

it('decides at least 95 % of the conditions of this repository exactly', () => {
  const page = readFileSync(new URL('docs/reference/undecided.md', ROOT), 'utf8');
  const [, share] = /\((\d+\.\d) %\) are decided exactly/.exec(page) ?? [];
  expect(Number(share)).toBeGreaterThanOrEqual(95);
  // `npm run check:generated` compares the page with the solver, too.
  if (!inject('isDeep')) return;
  const all = knownConditions(ROOT);
  const open = all.filter(({ uninterpreted }) => uninterpreted.length > 0);
  expect(all.length).toBeGreaterThan(800);
  expect(`${((100 * (all.length - open.length)) / all.length).toFixed(1)}`).toBe(share);
});

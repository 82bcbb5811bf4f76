import { expect, it } from 'vitest';
import { backOff } from './back-off.ts';

it('doubles the delay after each failure, up to an hour, minus up to a random quarter', () => {
  expect([1, 2, 3, 12, 13, 100].map(failures => backOff(failures, () => 0))).toEqual([
    1000, 2000, 4000, 2_048_000, 3_600_000, 3_600_000,
  ]);
  expect(backOff(1, () => 1)).toBe(750);
});

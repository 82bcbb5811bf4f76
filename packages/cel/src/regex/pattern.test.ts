import { expect, test } from 'vitest';
import { isPatternTooLarge, patternSize } from './pattern.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['a{3}', 12],
  ['a{2,}', 10],
  ['a{2,5}', 30],
  ['(a{3}){4}', 108],
  ['a{1000}b{1000}', 14_000],
  ['a{99999999999999999999}', 23_000],
  ['a{x}', 4],
  ['\\x{66}', 6],
  ['\\x{66}{3}', 27],
  ['\\{66}', 5],
  ['\\\\{6}', 30],
])('the size of %s is at most %i', (pattern, size) => {
  expect(patternSize(pattern)).toBe(size);
});

test('is too large beyond the limit, but not at it', () => {
  expect([isPatternTooLarge('a{3}', 12), isPatternTooLarge('a{3}', 11)]).toEqual([false, true]);
  expect(isPatternTooLarge('x'.repeat(13), 12)).toBe(true);
});

test('is not multiplied by characters that are given by number', () => {
  expect(isPatternTooLarge('\\x{66}'.repeat(1000), 100_000)).toBe(false);
});

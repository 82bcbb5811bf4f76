import { expect, it } from 'vitest';
import { lineStart } from './line-start.ts';

it.each([
  ['', 0, 0],
  ['ab', 2, 0],
  ['a\nb', 1, 0],
  ['a\nb', 2, 2],
  ['a\r\nb\r\n', 6, 6],
  ['\n', 0, 0],
  ['\n', 1, 1],
  ['\n\na', 0, 0],
])('the line of %j at %i begins at %i', (text, offset, start) => {
  expect(lineStart(text, offset)).toBe(start);
});

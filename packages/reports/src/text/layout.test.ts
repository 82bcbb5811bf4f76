import { expect, it } from 'vitest';
import { type KeptSide, truncate, wrapText } from './layout.ts';

it.each([
  ['', 10, []],
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 13, ['one two three']],
  ['incomprehensible to all', 6, ['incomprehensible', 'to all']],
  ['  spaces \n and   lines ', 12, ['spaces and', 'lines']],
  ['東京 東京 東京', 9, ['東京 東京', '東京']],
])('breaks %j at %i columns', (text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines);
});

it.each([
  ['traffic/access.log:12', 21, 'end', 'traffic/access.log:12'],
  ['traffic/access.log:12', 14, 'end', '…access.log:12'],
  ['a name', 5, 'start', 'a na…'],
  ['表表表', 5, 'start', '表表…'],
  ['表表表', 4, 'start', '表…'],
  ['👩‍👩‍👧‍👦x', 2, 'end', '…x'],
  ['abc', 1, 'start', '…'],
] as const)('truncates %j to %i columns, keeping its %s', (text, width, keep: KeptSide, cut) => {
  expect(truncate(text, width, keep)).toBe(cut);
});

import { expect, it } from 'vitest';
import { wrapText } from './wrap-text.ts';

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

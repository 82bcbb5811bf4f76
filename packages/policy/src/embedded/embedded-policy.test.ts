import { expect, it } from 'vitest';
import { applyEdits } from '../document/edits.ts';
import { changedRegions } from './embedded-policy.ts';

it.each<[string, string, readonly (readonly [number, number, string])[]]>([
  ['a\nb\n', 'a\nb\n', []],
  [
    'one\ntwo\nthree\n',
    'oe\ntwo\nthre\n',
    [
      [1, 2, ''],
      [12, 13, ''],
    ],
  ],
  ['a,\n b\n}', 'a\n}', [[1, 5, '']]],
  ['a\n}', 'a\nb: c\n}', [[2, 2, 'b: c\n']]],
  [
    'a: 1\nb: 2\n',
    'a: 3\nb: 4\n',
    [
      [3, 4, '3'],
      [8, 9, '4'],
    ],
  ],
  ['', 'x', [[0, 0, 'x']]],
  ['x\n', '', [[0, 2, '']]],
])('finds what turns %j into %j', (before, after, regions) => {
  const found = changedRegions(before, after);
  expect(found.map(({ start, end, added }) => [start, end, added])).toEqual(regions);
  const edits = found.map(({ start, end, added }) => ({ range: { start, end }, newText: added }));
  expect(applyEdits(before, edits)).toBe(after);
});

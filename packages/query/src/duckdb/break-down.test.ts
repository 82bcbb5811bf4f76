import { expect, it } from 'vitest';
import { KeyCounts } from './break-down.ts';

async function textsOf(keys: readonly number[]): Promise<readonly string[]> {
  return keys.map(key => 'abcd'[key]!);
}

function countOf(count: number) {
  return { count: { least: count, most: count } };
}

it('lists the most frequent keys of each series, equal ones in their order', async () => {
  const counts = new KeyCounts([[0], [0, 1], []], 3, 2);
  counts.add(0, 0, 1);
  counts.add(1, 0, 2);
  counts.add(1, 1, 1);
  counts.add(2, 1, 3);
  counts.add(3, 0, 4);
  counts.add(3, 2, 9);
  expect(await counts.summaries(textsOf)).toEqual([
    {
      top: [
        { text: 'd', ...countOf(4) },
        { text: 'b', ...countOf(3) },
      ],
      distinct: 4,
      unknown: 0,
    },
    {
      top: [
        { text: 'c', ...countOf(3) },
        { text: 'b', ...countOf(1) },
      ],
      distinct: 2,
      unknown: 0,
    },
    { top: [], distinct: 0, unknown: 0 },
  ]);
});

it('counts unknown keys apart, by series', async () => {
  const counts = new KeyCounts([[0], [1]], 2, 1);
  counts.add(1, 0, 2);
  counts.add(null, 0, 3);
  counts.add(null, 1, 5);
  expect(await counts.summaries(textsOf)).toEqual([
    { top: [{ text: 'b', ...countOf(2) }], distinct: 1, unknown: 3 },
    { top: [], distinct: 0, unknown: 5 },
  ]);
});

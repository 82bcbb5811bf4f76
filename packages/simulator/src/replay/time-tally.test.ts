import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeTally } from './breakdown-tally.ts';

const DAY = 24 * 3600 * 1000;

function counted(times: readonly (number | undefined)[]): TimeTally {
  const tally = new TimeTally(1);
  for (const time of times) {
    const series = tally.add(time);
    if (series !== undefined && time! % 2 === 0) series[0]!++;
  }
  return tally;
}

describe('times', () => {
  it('are grouped into ten milliseconds while there are few', () => {
    expect(counted([1009, 1000, 20, 1001]).data()).toEqual({
      width: 10,
      buckets: [
        { start: 20, exchanges: 1, series: [1] },
        { start: 1000, exchanges: 3, series: [1] },
      ],
      untimed: 0,
    });
  });

  it('are grouped into longer intervals if there are many', () => {
    const hours = Array.from({ length: 24 * 30 }, (_, hour) => hour * 3_600_000);
    const { width, buckets } = counted(hours).data();
    expect([width, buckets.length, new Set(buckets.map(({ exchanges }) => exchanges))]).toEqual([
      3 * 3_600_000,
      240,
      new Set([3]),
    ]);
  });

  it('that are missing are counted separately', () => {
    const none = [undefined, Number.NaN, Number.POSITIVE_INFINITY, -8.64e15 - 2];
    expect(counted([...none, -1.5]).data()).toEqual({
      width: 10,
      buckets: [{ start: -10, exchanges: 1, series: [0] }],
      untimed: 4,
    });
  });

  it('of the whole range of JavaScript dates fit', () => {
    const times = Array.from({ length: 1000 }, (_, index) => -8.64e15 + index * 1.7e13);
    const { width, buckets } = counted(times).data();
    expect([width / DAY, buckets.reduce((sum, { exchanges }) => sum + exchanges, 0)]).toEqual([3_640_000, 1000]);
  });

  it('give the same figures in any order', () => {
    const spread = fc.constantFrom(1, 1000, 60_000, DAY);
    const times = fc.array(fc.tuple(fc.integer({ min: -400, max: 400 }), spread).map(([at, unit]) => at * unit));
    fc.assert(
      fc.property(times, given => {
        expect(counted(given.toReversed()).data()).toEqual(counted(given).data());
      }),
      { numRuns: 300 },
    );
  });
});

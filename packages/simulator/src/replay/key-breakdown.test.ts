import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyTable } from './key-breakdown.ts';

const SETS = [[0], [1, 2], [0, 2]];

interface Counted {
  readonly key: string;
  readonly set: number;
}

/** Folds whenever the table contains more keys than `most`. */
function counted(all: readonly Counted[], most = Number.POSITIVE_INFINITY): KeyTable {
  const table = new KeyTable(3);
  for (const { key, set } of all) {
    table.add(key, SETS[set]!);
    if (table.size > most) table.fold(most);
  }
  return table;
}

const keys = fc.array(fc.record({ key: fc.constantFrom(...'abcdefgh'), set: fc.nat(2) }), { maxLength: 60 });

describe('a table of keys', () => {
  it('counts keys for each of the rules that matched', () => {
    const table = counted([
      { key: 'a', set: 0 },
      { key: 'a', set: 2 },
      { key: 'b', set: 1 },
    ]);
    table.addUnknown([1, 2]);
    const exactly = (text: string, count: number) => ({ text, count: { least: count, most: count } });
    expect(table.summaries(5)).toEqual([
      { top: [exactly('a', 2)], distinct: 1, unknown: 0 },
      { top: [exactly('b', 1)], distinct: 1, unknown: 1 },
      { top: [exactly('a', 1), exactly('b', 1)], distinct: 2, unknown: 1 },
    ]);
  });

  it('has bounds that contain the true counts, however often rare keys are dropped', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 5 }), (all, most) => {
        const shown = counted(all, most).summaries(9);
        const truth = counted(all).summaries(9);
        truth.forEach(({ top }, rule) => {
          const known = new Map(shown[rule]!.top.map(({ text, count }) => [text, count]));
          for (const { text, count } of top) {
            const bounds = known.get(text);
            if (bounds === undefined) expect(shown[rule]!.distinct).toBe(undefined);
            expect(bounds?.least ?? 0).toBeLessThanOrEqual(count.least);
            expect(bounds?.most ?? count.least).toBeGreaterThanOrEqual(count.least);
          }
        });
      }),
      { numRuns: 300 },
    );
  });
});

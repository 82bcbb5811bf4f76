import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { KeyCounts } from './key-counts.ts';

const TEXT = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ab', 'ba', '\0', '\ud800', 'é'),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.nat(3000).map(number => `10.0.${number >> 8}.${number & 255}`),
);
const ADDED = fc.tuple(TEXT, fc.oneof(fc.nat(3), fc.nat(2000)), fc.integer({ min: 1, max: 3 }));

/** Returns strings in the order of their first occurrence, each with its sets and their counts. */
function counted(counts: KeyCounts): unknown {
  const found: unknown[] = [];
  counts.each(first => {
    const sets: unknown[] = [];
    for (let entry = first; entry >= 0; entry = counts.nextOf(entry))
      sets.push([counts.setOf(entry), counts.countOf(entry)]);
    found.push([counts.textOf(first), sets]);
  });
  return found;
}

it('counts like a map of maps', () => {
  const rounds = fc.array(fc.array(ADDED, { maxLength: 3000, size: 'max' }), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(rounds, all => {
      const counts = new KeyCounts();
      for (const round of all) {
        counts.clear();
        const expected = new Map<string, Map<number, number>>();
        for (const [text, set, times] of round) {
          const sets = expected.get(text) ?? new Map<number, number>();
          expect(counts.add(text, set, times)).toBe(!sets.has(set));
          expected.set(text, sets.set(set, (sets.get(set) ?? 0) + times));
        }
        expect(counted(counts)).toEqual([...expected].map(([text, sets]) => [text, [...sets]]));
      }
    }),
    { numRuns: inject('isDeep') ? 30 : 8 },
  );
});

import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { KeyIds } from './key-ids.ts';

const TEXT = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ab', 'ba', '\0', '\ud800', 'é'),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.nat(3000).map(number => `10.0.${number >> 8}.${number & 255}`),
);

it('numbers strings like a map', () => {
  const rounds = fc.array(fc.array(TEXT, { maxLength: 3000, size: 'max' }), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(rounds, all => {
      const ids = new KeyIds();
      for (const round of all) {
        ids.clear();
        const expected = new Map<string, number>();
        for (const text of round) {
          if (!expected.has(text)) expected.set(text, expected.size);
          expect(ids.idOf(text)).toBe(expected.get(text));
        }
        expect(Array.from({ length: ids.size }, (_, id) => ids.textOf(id))).toEqual([...expected.keys()]);
      }
    }),
    { numRuns: inject('isDeep') ? 30 : 8 },
  );
});

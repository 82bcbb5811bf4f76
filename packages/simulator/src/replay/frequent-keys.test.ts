import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { FrequentKeys, KeyIds, shortKey } from './frequent-keys.ts';

function counted(keys: readonly string[], capacity = Number.POSITIVE_INFINITY): FrequentKeys {
  const counter = new FrequentKeys();
  const size = Math.min(keys.length, 2 * capacity);
  for (let from = 0; from < keys.length; from += size) {
    const part = Map.groupBy(keys.slice(from, from + size), key => key);
    counter.merge({ keys: [...part.keys()], counts: Array.from(part.values(), times => times.length), missing: 0 });
    counter.keep(capacity);
  }
  return counter;
}

function exactly(text: string, count: number) {
  return { text, count: { least: count, most: count } };
}

describe('frequent keys', () => {
  it('are listed most frequent first, equal ones in string order', () => {
    const keys = counted(['b', 'c', 'a', 'c', '', 'b', 'c']);
    expect(keys.top(3)).toEqual([exactly('c', 3), exactly('b', 2), exactly('', 1)]);
    expect([keys.distinct, keys.top(0), keys.top(9).length]).toEqual([4, [], 4]);
  });

  it('have bounds after rare ones are dropped', () => {
    const keys = counted(['a', 'a', 'a', 'b', 'b', 'c']);
    keys.keep(2);
    expect(keys.top(9)).toEqual([
      { text: 'a', count: { least: 2, most: 3 } },
      { text: 'b', count: { least: 1, most: 2 } },
    ]);
    expect(keys.distinct).toBe(undefined);
  });

  it('are truncated if they are long, without splitting a character', () => {
    expect(shortKey(`${'x'.repeat(158)}😀 and more`)).toBe(`${'x'.repeat(158)}\ufffd…`);
    expect(shortKey('y'.repeat(160))).toBe('y'.repeat(160));
  });

  it('have bounds that contain the true count, however they are counted and merged', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 30 }).map(number => `k${Math.floor(number ** 1.5 / 6)}`));
    fc.assert(
      fc.property(fc.array(keys), fc.integer({ min: 1, max: 6 }), (parts, capacity) => {
        const whole = new FrequentKeys();
        for (const part of parts) whole.merge(counted(part, capacity).data());
        whole.keep(capacity);
        const all = parts.flat();
        const truth = counted(all);
        const shown = new Map(whole.top(99).map(({ text, count }) => [text, count]));
        expect(shown.size).toBeLessThanOrEqual(capacity);
        const slack = all.length / (capacity + 1);
        for (const { text, count } of truth.top(99)) {
          const { least, most } = shown.get(text) ?? { least: 0, most: slack };
          expect(least).toBeLessThanOrEqual(count.least);
          expect(most).toBeGreaterThanOrEqual(count.least);
          expect(most - least).toBeLessThanOrEqual(slack);
        }
      }),
    );
  });
});

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

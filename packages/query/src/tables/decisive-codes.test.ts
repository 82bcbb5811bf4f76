import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisiveCodes } from './decisive-codes.ts';
import type { Code } from './question-groups.ts';

/** A code of bits, with `others` values beyond them. */
function bitsCode(count: number, others: number): Code {
  const only = (bits: readonly number[], hasOthers: boolean) => `${bits.join('+')}${hasOthers ? ' or others' : ''}`;
  return { sql: 'all of the bits', size: 2 ** count + others, bits: { count, only } };
}

const known = fc
  .record({
    first: fc.integer({ min: 1, max: 12 }),
    others: fc.integer({ min: 0, max: 3 }),
    whole: fc.integer({ min: 2, max: 9 }),
  })
  .chain(({ first, others, whole }) => {
    const codes: readonly Code[] = [bitsCode(first, others), { sql: 'whole', size: whole }, bitsCode(32, 1)];
    const group = fc.tuple(...codes.map(({ size }) => fc.integer({ min: 0, max: size - 1 })));
    return fc.record({
      codes: fc.constant(codes),
      groups: fc.array(group, { maxLength: 60 }),
      mask: fc.integer({ min: 0, max: 7 }),
      whole: fc.boolean(),
    });
  });

describe('the codes that tell classes', () => {
  it('are enough', () => {
    fc.assert(
      fc.property(known, ({ codes, groups, mask, whole }) => {
        const classified = groups.map(own => ({
          codes: own,
          class: (own[0]! & mask) + 100 * (own[2]! % 2) + (whole ? own[1]! * 1000 : 0),
        }));
        const needed = decisiveCodes(codes, classified);
        const told = new Map<string, number>();
        for (const { codes: own, class: one } of classified) {
          const values = needed.map(({ at, valueIn }) => valueIn(own[at]!));
          for (const [at, value] of values.entries()) expect(value).toBeLessThan(needed[at]!.size);
          expect(told.get(values.join()) ?? one).toBe(one);
          told.set(values.join(), one);
        }
      }),
    );
  });

  it('are the least of those that occur', () => {
    const codes = [bitsCode(8, 2), { sql: 'whole', size: 4 }];
    const all = Array.from({ length: 258 }, (_, bits) =>
      [0, 1].map(other => ({ codes: [bits, other], class: bits < 256 ? (bits >> 2) % 2 : 0 })),
    );
    const [only, ...more] = decisiveCodes(codes, all.flat());
    expect(more).toEqual([]);
    expect([only!.at, only!.size, only!.sqlOf(codes[0]!)]).toEqual([0, 2, '2']);
    expect([0, 4, 7, 8, 256, 257].map(only!.valueIn)).toEqual([0, 1, 1, 0, 0, 0]);
  });

  it('say whether a value is beyond the bits where that matters', () => {
    const codes = [bitsCode(2, 3)];
    const [only] = decisiveCodes(
      codes,
      [0, 1, 2, 3, 4, 5, 6].map(value => ({ codes: [value], class: Math.max(0, value - 4) })),
    );
    expect([only!.size, only!.sqlOf(codes[0]!)]).toEqual([4, ' or others']);
    expect([0, 3, 4, 5, 6].map(only!.valueIn)).toEqual([0, 0, 1, 2, 3]);
  });

  it('are none if there is one class', () => {
    expect(
      decisiveCodes(
        [bitsCode(3, 0)],
        [0, 1, 2].map(value => ({ codes: [value], class: 7 })),
      ),
    ).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { DOUBLES, doubleAt, includes, NAN, positionOf } from './int-set.ts';

const ASCENDING = [Number.NEGATIVE_INFINITY, -1.5, -5e-324, 0, 5e-324, 1, 1 + Number.EPSILON, Number.POSITIVE_INFINITY];

describe('positions of doubles', () => {
  it('are in the order of the doubles, and lead back to them', () => {
    const positions = ASCENDING.map(positionOf);
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(positions.map(doubleAt)).toEqual(ASCENDING);
    expect(positions.every(position => includes(DOUBLES, position))).toBe(true);
  });

  it('are next to each other for adjacent doubles', () => {
    expect(positionOf(1 + Number.EPSILON) - positionOf(1)).toBe(1n);
    expect(positionOf(5e-324) - positionOf(-5e-324)).toBe(2n);
  });

  it('are the same for both zeros, and apart from all numbers for NaN', () => {
    expect(positionOf(-0)).toBe(positionOf(0));
    expect(positionOf(Number.NaN)).toBe(NAN);
    expect(NAN > positionOf(Number.POSITIVE_INFINITY)).toBe(true);
  });
});

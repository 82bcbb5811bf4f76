import type { IntSet } from './int-set.ts';

// The finite and infinite doubles in order are consecutive integers, so that sets of doubles are sets of integers. Both zeros are 0.

/** Returns the position of a double; of a NaN, {@link NAN}. */
export function positionOf(value: number): bigint {
  if (Number.isNaN(value)) return NAN;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const magnitude = view.getBigUint64(0);
  return value < 0 ? -magnitude : magnitude;
}

/** Returns the double at a position. */
export function doubleAt(position: bigint): number {
  if (position === NAN) return Number.NaN;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, position < 0n ? -position : position);
  const magnitude = view.getFloat64(0);
  return position < 0n ? -magnitude : magnitude;
}

/** Stands for all values that are not numbers; they equal nothing and are not ordered. */
export const NAN = 2n ** 64n;

const INFINITE = positionOf(Number.POSITIVE_INFINITY);

/** All doubles. */
export const DOUBLES: IntSet = [
  [-INFINITE, INFINITE],
  [NAN, NAN],
];

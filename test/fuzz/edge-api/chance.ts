/** Chance that can be had again from its seed. */
export interface Chance {
  /** A whole number from 0 to below `limit`. */
  readonly below: (limit: number) => number;
  /** True in this part of all cases. */
  readonly is: (part: number) => boolean;
  readonly one: <T>(values: readonly T[]) => T;
}

/** Chance from a seed: the generator `mulberry32`, which is small, and good enough to find faults by. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: limit => Math.floor(next() * limit),
    is: part => next() < part,
    one: values => values[Math.floor(next() * values.length)]!,
  };
}

/** Bounds on a cost or a size. Both are at least 0; `max` may be infinite. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

export const NOTHING: CostRange = { min: 0, max: 0 };
export const UNKNOWN_SIZE: CostRange = { min: 0, max: Number.POSITIVE_INFINITY };

export function exactly(value: number): CostRange {
  return { min: value, max: value };
}

export function add(a: CostRange, b: CostRange): CostRange {
  return { min: a.min + b.min, max: a.max + b.max };
}

export function multiply(a: CostRange, b: CostRange): CostRange {
  return { min: times(a.min, b.min), max: times(a.max, b.max) };
}

/** Zero times infinity is zero. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Returns the bounds of a value that is one of the two. */
export function either(a: CostRange, b: CostRange): CostRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Returns the bounds of a cost that may not be incurred. */
export function atMost(a: CostRange): CostRange {
  return { min: 0, max: a.max };
}

export function ceil(a: CostRange): CostRange {
  return { min: Math.ceil(a.min), max: Math.ceil(a.max) };
}

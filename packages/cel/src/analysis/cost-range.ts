/** The least and the most of a cost or a size; both at least 0, `max` may be infinite. */
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

/** Nothing done without end is nothing. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Either of the two. */
export function either(a: CostRange, b: CostRange): CostRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** May be left out. */
export function atMost(a: CostRange): CostRange {
  return { min: 0, max: a.max };
}

export function ceil(a: CostRange): CostRange {
  return { min: Math.ceil(a.min), max: Math.ceil(a.max) };
}

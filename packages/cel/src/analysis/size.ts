import type { CostRange } from './cost-range.ts';

/** Bounds on the size of a value and of its elements. */
export interface Size {
  readonly own: CostRange;
  /** The path under which hints for parts of the value are found; undefined if it is not part of an input. */
  readonly path?: string;
  /** The size of each element of a list that an evaluation builds. */
  readonly element?: Size;
}

import type { CostRange } from './cost-range.ts';

/** How large the values of nodes may be, and those of their elements. */
export interface Size {
  readonly own: CostRange;
  /** Where hints for parts of the value are found; undefined when it is not a part of an input. */
  readonly path?: string;
  /** Of each element of a list that an evaluation makes. */
  readonly element?: Size;
}

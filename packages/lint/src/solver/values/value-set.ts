import { intersection, isNothing, isSubset, NOTHING, type RangeSet, union, without } from './range-set.ts';

/** Results without an order, as bits. */
export const TRUE = 1;
export const FALSE = 2;
export const NAN = 4;
/** The string is not a number or an address. */
export const INVALID = 8;
/** The evaluation fails before there is a value. */
export const ERROR = 16;

/** A set of values: unordered ones as bits, ordered ones as ranges. */
export interface ValueSet {
  readonly flags: number;
  readonly ranges: RangeSet;
}

export function flagSet(flags: number): ValueSet {
  return { flags, ranges: NOTHING };
}

export function rangesOf(ranges: RangeSet): ValueSet {
  return { flags: 0, ranges };
}

export function isEmptySet({ flags, ranges }: ValueSet): boolean {
  return flags === 0 && isNothing(ranges);
}

export function meet(a: ValueSet, b: ValueSet): ValueSet {
  return { flags: a.flags & b.flags, ranges: intersection(a.ranges, b.ranges) };
}

export function join(a: ValueSet, b: ValueSet): ValueSet {
  return { flags: a.flags | b.flags, ranges: union(a.ranges, b.ranges) };
}

export function difference(a: ValueSet, b: ValueSet): ValueSet {
  return { flags: a.flags & ~b.flags, ranges: without(a.ranges, b.ranges) };
}

export function isWithin(a: ValueSet, b: ValueSet): boolean {
  return (a.flags & ~b.flags) === 0 && isSubset(a.ranges, b.ranges);
}

/** Returns the set without failures. */
export function withoutError({ flags, ranges }: ValueSet): ValueSet {
  return { flags: flags & ~ERROR, ranges };
}

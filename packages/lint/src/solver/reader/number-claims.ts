import type { Comparator } from '../../expressions/comparisons.ts';
import { above, below, between, type Cut, NOTHING, type RangeSet } from '../values/range-set.ts';
import { NAN, rangesOf, type ValueSet } from '../values/value-set.ts';
import type { Constant } from './constant-value.ts';

type NumberConstant = Extract<Constant, { readonly kind: 'number' }>;

/** Cuts just below and just above a constant. */
interface Bounds {
  readonly from: Cut;
  readonly to: Cut;
}

/**
 * Returns the integers for which a comparison is true; undefined beyond 2^53, where integers are rounded before they are compared with a
 * double.
 */
export function integersThat(comparator: Comparator, constant: NumberConstant): ValueSet | undefined {
  const { number, isDouble } = constant;
  if (!isDouble) return rangesThat(comparator, { from: below(number), to: below(BigInt(number) + 1n) });
  const double = Number(number);
  if (Number.isNaN(double)) return comparator === '!=' ? rangesOf(EVERYTHING) : rangesOf(NOTHING);
  if (Math.abs(double) >= 2 ** 53) return undefined;
  const [floor, ceiling] = [Math.floor(double), Math.ceil(double)];
  return rangesThat(comparator, { from: below(ceiling), to: below(floor + 1) });
}

/** Returns the doubles for which a comparison is true; integers are rounded first. */
export function doublesThat(comparator: Comparator, { number }: NumberConstant): ValueSet {
  const double = Number(number);
  if (Number.isNaN(double)) return comparator === '!=' ? { flags: NAN, ranges: EVERYTHING } : rangesOf(NOTHING);
  const { ranges } = rangesThat(comparator, { from: below(double), to: above(double) });
  return { flags: comparator === '!=' ? NAN : 0, ranges };
}

const EVERYTHING: RangeSet = { startsInside: true, cuts: [] };

/** Returns the values before, at or after a constant, not yet restricted to a universe. */
export function rangesThat(comparator: Comparator, { from, to }: Bounds): ValueSet {
  switch (comparator) {
    case '==':
      return rangesOf(between(from, to));
    case '!=': {
      const equal = between(from, to);
      return rangesOf({ startsInside: !equal.startsInside, cuts: equal.cuts });
    }
    case '<':
      return rangesOf({ startsInside: true, cuts: [from] });
    case '<=':
      return rangesOf({ startsInside: true, cuts: [to] });
    case '>':
      return rangesOf({ startsInside: false, cuts: [to] });
    case '>=':
      return rangesOf({ startsInside: false, cuts: [from] });
  }
}

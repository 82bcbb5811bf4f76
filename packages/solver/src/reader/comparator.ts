import type { Expr } from '@tollgate/cel';
import { ANY_INTEGER, between, complement, type IntSet } from '../values/int-set.ts';

/** An operator that compares two values. */
export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A comparison whose right side is constant. */
export interface ConstantComparison {
  readonly comparator: Comparator;
  readonly operand: Expr;
  readonly constant: Expr;
}

/** Returns the integers that compare to a bound as the operator says. */
export function setFor(comparator: Comparator, bound: bigint): IntSet {
  const [least, most] = ANY_INTEGER;
  switch (comparator) {
    case '==':
      return [[bound, bound]];
    case '!=':
      return complement([[bound, bound]], [least, most]);
    case '<':
      return between(least, bound - 1n);
    case '<=':
      return between(least, bound);
    case '>':
      return between(bound + 1n, most);
    case '>=':
      return between(bound, most);
  }
}

import type { CallExpr, Expr, Literal } from '@tollgate/cel';

/** An operator that compares two values. */
export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A comparison with a literal, read as if the literal stood on the right. */
export interface Comparison {
  readonly node: CallExpr;
  readonly comparator: Comparator;
  readonly operand: Expr;
  readonly literal: Extract<Expr, { readonly kind: 'literal' }>;
  readonly value: Literal;
}

const COMPARATORS: Readonly<Record<string, Comparator>> = {
  '_==_': '==',
  '_!=_': '!=',
  '_<_': '<',
  '_<=_': '<=',
  '_>_': '>',
  '_>=_': '>=',
};
const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Returns the operator of a call; undefined if it is not a comparison. */
export function comparatorOf({ function: name }: CallExpr): Comparator | undefined {
  return Object.hasOwn(COMPARATORS, name) ? COMPARATORS[name] : undefined;
}

/** Returns the operator that gives the same result with swapped operands. */
export function mirrored(comparator: Comparator): Comparator {
  return MIRRORED[comparator];
}

/** Returns the call as a comparison with a literal; undefined if it is not one. */
export function comparisonOf(node: CallExpr): Comparison | undefined {
  const comparator = comparatorOf(node);
  const [left, right] = node.args;
  if (!comparator || !left || !right) return undefined;
  if (right.kind === 'literal') return { node, comparator, operand: left, literal: right, value: right.literal };
  if (left.kind !== 'literal') return undefined;
  return { node, comparator: MIRRORED[comparator], operand: right, literal: left, value: left.literal };
}

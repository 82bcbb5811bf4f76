import type { CallExpr, Expr, Literal, TypedAst } from '@tollgate/cel';
import type { WrittenNode } from './source-nodes.ts';
import { variablePath } from './variable-path.ts';

/** How two values are compared, as if the literal stood on the right. */
export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** Something compared with a literal. */
export interface Comparison {
  readonly node: CallExpr;
  readonly comparator: Comparator;
  readonly operand: Expr;
  /** Where the operand is an input: `req.Method`. */
  readonly path: string | undefined;
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

/** The comparisons with a literal among the nodes. */
export function comparisonsIn(typed: TypedAst, nodes: readonly WrittenNode[]): readonly Comparison[] {
  return nodes.flatMap(({ node }) => (node.kind === 'call' ? (comparisonOf(typed, node) ?? []) : []));
}

/** The call as a comparison with a literal, if it is one. */
export function comparisonOf(typed: TypedAst, node: CallExpr): Comparison | undefined {
  const comparator = COMPARATORS[node.function];
  const [left, right] = node.args;
  if (!comparator || !left || !right) return undefined;
  if (right.kind === 'literal') return { ...parts(typed, node, left, right), comparator };
  return left.kind === 'literal' ? { ...parts(typed, node, right, left), comparator: MIRRORED[comparator] } : undefined;
}

function parts(typed: TypedAst, node: CallExpr, operand: Expr, literal: Comparison['literal']) {
  return { node, operand, path: variablePath(typed, operand), literal, value: literal.literal };
}

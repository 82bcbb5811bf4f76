import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import type { AnalyzedExpression } from './analyzed-expression.ts';
import { isLogicalOperator, operandsOfChain } from './operator-chain.ts';

/** An alternative of a condition: an operand of `||`, or an element of an `in` list. */
interface Alternative {
  readonly node: Expr;
  /** Holds where the alternative does. */
  readonly typed: TypedAst;
}

/** Returns the alternatives of a condition and of each operand of its `&&`, without nested ones. */
export function alternativesIn({ typed }: AnalyzedExpression): readonly Alternative[] {
  const { root } = typed.ast;
  const parts = isLogicalOperator(root) && root.function === '_&&_' ? operandsOfChain(root) : [{ node: root }];
  return parts.flatMap(({ node }) => {
    const found = alternativesAt(typed, node);
    return found.length > 1 ? found : [];
  });
}

function alternativesAt(typed: TypedAst, node: Expr): readonly Alternative[] {
  if (!isLogicalOperator(node)) return elementsOf(typed, node);
  return node.function === '_||_' ? operandsOfChain(node).flatMap(operand => split(typed, operand.node)) : [];
}

/** A list inside of `||` has alternatives of its own. */
function split(typed: TypedAst, node: Expr): readonly Alternative[] {
  const elements = elementsOf(typed, node);
  return elements.length > 1 ? elements : [{ node, typed: { ...typed, ast: { ...typed.ast, root: node } } }];
}

function elementsOf(typed: TypedAst, node: Expr): readonly Alternative[] {
  if (node.kind !== 'call' || node.function !== '@in') return [];
  const [element, list] = node.args;
  if (list?.kind !== 'list' || list.elements.length > MAX_ELEMENTS) return [];
  // An element that fails makes the whole list fail: without it, other elements may match.
  if (!list.elements.every(item => item.kind === 'literal')) return [];
  return list.elements.map(item => {
    const root: CallExpr = { ...node, function: '_==_', args: [element!, item] };
    return { node: item, typed: { ...typed, ast: { ...typed.ast, root } } };
  });
}

/** Elements of longer lists are not examined. */
const MAX_ELEMENTS = 64;

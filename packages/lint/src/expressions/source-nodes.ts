import type { Ast, CallExpr, Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';

/** The node as it was written: a macro call in the place of what it expands to. */
export function written(ast: Ast, node: Expr): Expr {
  return ast.macroCalls.get(node.id) ?? node;
}

/** A node as it was written, and whether it stands under an odd number of negations: `!x`, `x == false`, `x != true`, `x ? false : true`. */
export interface WrittenNode {
  readonly node: Expr;
  readonly isNegated: boolean;
}

/** All nodes of a tree as they were written, parents before children, in the order of the source. */
export function writtenNodes(ast: Ast): readonly WrittenNode[] {
  const found: WrittenNode[] = [];
  collect(ast, ast.root, { found, isNegated: false });
  return found;
}

function collect(
  ast: Ast,
  expanded: Expr,
  { found, isNegated }: { readonly found: WrittenNode[]; readonly isNegated: boolean },
): void {
  const node = written(ast, expanded);
  found.push({ node, isNegated });
  const children = childrenOf(node);
  if (children.length === 0) return;
  const negates = node.kind === 'call' && isNegation(node);
  const below = { found, isNegated: negates ? !isNegated : isNegated };
  for (const child of children) collect(ast, child, below);
}

/** Whether a call holds where its operand does not: `!x`, `x == false`, `x != true`, `x ? false : true`. */
export function isNegation({ function: name, args: [first, second, third] }: CallExpr): boolean {
  switch (name) {
    case '!_':
      return true;
    case '_==_':
      return isBoolean(first, false) || isBoolean(second, false);
    case '_!=_':
      return isBoolean(first, true) || isBoolean(second, true);
    case '_?_:_':
      return isBoolean(second, false) && isBoolean(third, true);
    default:
      return false;
  }
}

function isBoolean(node: Expr | undefined, value: boolean): boolean {
  return node?.kind === 'literal' && node.literal.value === value;
}

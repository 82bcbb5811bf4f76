import { type Ast, childrenOf, type Expr } from '@tollgate/cel';

/** The node as it was written: a macro call in the place of what it expands to. */
export function written(ast: Ast, node: Expr): Expr {
  return ast.macroCalls.get(node.id) ?? node;
}

/** All nodes of a tree as they were written, parents before children, in the order of the source. */
export function writtenNodes(ast: Ast): readonly Expr[] {
  const found: Expr[] = [];
  const visit = (node: Expr): void => {
    const own = written(ast, node);
    found.push(own);
    for (const child of childrenOf(own)) visit(child);
  };
  visit(ast.root);
  return found;
}

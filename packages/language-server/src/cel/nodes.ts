import { type Ast, type CallExpr, check, type Expr, parse, type TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import { documentRange } from '@tollgate/policy';
import type { ExpressionAt } from './expression-place.ts';

/** Checks an expression, which may have errors. */
export function typedOf({
  source,
  environment,
  variables,
}: Pick<ExpressionAt, 'source' | 'environment' | 'variables'>): TypedAst {
  return check(parse(source, environment).ast, environment, variables).typed;
}

/** Returns a node as it is written: the macro call instead of its expansion. */
function written({ macroCalls }: Ast, node: Expr): Expr {
  return macroCalls.get(node.id) ?? node;
}

/** Returns the nodes around a position, outermost first, as they are written. */
export function nodesAt(ast: Ast, at: number): readonly Expr[] {
  const path: Expr[] = [];
  let next: Expr | undefined = written(ast, ast.root);
  while (next) {
    path.push(next);
    next = childrenOf(next)
      .map(child => written(ast, child))
      .find(({ range }) => range.start <= at && at <= range.end);
  }
  return path;
}

/** Calls `visit` for every node as it is written, parents first. */
export function visitWritten(ast: Ast, visit: (node: Expr) => void): void {
  const walk = (node: Expr) => {
    visit(node);
    for (const child of childrenOf(node)) walk(written(ast, child));
  };
  walk(written(ast, ast.root));
}

/** Returns the range of a part of an expression in the document. */
export function inDocument({ text, offset }: Pick<ExpressionAt, 'text' | 'offset'>, { start, end }: Range): Range {
  return documentRange(text, { start: start + offset, end: end + offset });
}

/** Returns true if a call is an operator, such as `_+_`. */
export function isOperator({ function: name }: CallExpr): boolean {
  return !/^[A-Za-z]/.test(name);
}

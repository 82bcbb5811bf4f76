import type { Expr } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { TypedAst } from '../ast/typed-ast.ts';

/**
 * Returns the operands of the outermost `&&` chain, each as an expression that keeps the node ids of the whole; the expression itself if it
 * is not an `&&`. The value, errors and unknowns of the whole follow from theirs.
 */
export function conjunctsOf(typed: TypedAst): readonly TypedAst[] {
  return operandsOf(typed.ast.root).map(root => (root === typed.ast.root ? typed : partOf(typed, root)));
}

function operandsOf(expr: Expr): readonly Expr[] {
  return expr.kind === 'call' && expr.function === '_&&_' ? expr.args.flatMap(operandsOf) : [expr];
}

function partOf(typed: TypedAst, root: Expr): TypedAst {
  return { ...typed, ast: { ...typed.ast, root }, resultType: typed.types[root.id] ?? typed.resultType };
}

/** Returns true if an expression contains a loop, which spends steps of the budget. */
export function hasLoop({ ast }: TypedAst): boolean {
  return isLoopWithin(ast.root);
}

function isLoopWithin(expr: Expr): boolean {
  return expr.kind === 'comprehension' || childrenOf(expr).some(isLoopWithin);
}

import type { Expr } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { TypedAst } from '../ast/typed-ast.ts';

/**
 * The operands of the `&&` that an expression is, each as an expression of its own with the ids that it has in the whole; the expression itself where it
 * is something else. Whether the whole is true or false, and of which failures and unknowns what it ends in is made, is told by what they give.
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

/** Whether an expression goes through something, so that it takes steps of which there is a limit. */
export function hasLoop({ ast }: TypedAst): boolean {
  return isLoopWithin(ast.root);
}

function isLoopWithin(expr: Expr): boolean {
  return expr.kind === 'comprehension' || childrenOf(expr).some(isLoopWithin);
}

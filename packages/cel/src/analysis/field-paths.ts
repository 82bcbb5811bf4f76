import type { Expr } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { TypedAst } from '../ast/typed-ast.ts';
import { fieldPathOf, readsOf } from './reads.ts';

/**
 * The fields that lead to what an expression reads, as `a.b.c`, in no order; what is inside of maps and lists is not told apart. As those of
 * {@link readsOf}, but a part may stand beside the whole that it belongs to, and at a fraction of the cost where there are no loops.
 */
export function fieldPathsOf(typed: TypedAst): ReadonlySet<string> {
  const found = new Set<string>();
  return collect(typed, typed.ast.root, found) ? found : new Set(readsOf(typed).map(fieldPathOf));
}

/** False where names of the expression's own, or optional fields, take a closer look. */
function collect(typed: TypedAst, expr: Expr, found: Set<string>): boolean {
  if (expr.kind === 'comprehension' || (expr.kind === 'call' && expr.function === '_?._')) return false;
  const path = inputPathOf(typed, expr);
  if (path !== undefined) {
    found.add(path);
    return true;
  }
  // The target of `math.least(…)` is part of the function's name.
  const isNamespaced = expr.kind === 'call' && expr.target !== undefined && typed.types[expr.target.id] === undefined;
  const children = isNamespaced ? expr.args : childrenOf(expr);
  return children.every(child => collect(typed, child, found));
}

/** The path of an input that an expression is, as `req.URL`; undefined for all else, members of maps among it. */
export function inputPathOf(typed: TypedAst, expr: Expr): string | undefined {
  const reference = typed.references[expr.id];
  if (reference?.kind === 'variable') return reference.name;
  if (expr.kind !== 'select') return undefined;
  const type = typed.types[expr.operand.id];
  if (type?.kind === 'map' || (type?.kind === 'optional' && type.value.kind === 'map')) return undefined;
  const operand = inputPathOf(typed, expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

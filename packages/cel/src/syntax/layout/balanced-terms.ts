import type { CallExpr, Expr } from '../../ast/ast.ts';

/**
 * The most terms that, written in a row without parentheses, parse to the tree: chains of `&&` and `||` become balanced
 * trees, so a tree of another shape needs parentheses around some of its parts, which are terms then.
 *
 * @param isChain whether an expression is the same operation, so that it may be part of the row
 */
export function balancedTerms(root: CallExpr, isChain: (expr: Expr) => expr is CallExpr): readonly Expr[] {
  const counts = new Map<Expr, readonly number[]>();
  const terms: Expr[] = [];
  collect(root, Math.max(...countsOf(root)));
  return terms;

  /** How many terms the expression can be a row of. */
  function countsOf(expr: Expr): readonly number[] {
    if (!isChain(expr)) return [1];
    const known = counts.get(expr);
    if (known !== undefined) return known;
    const [left, right] = expr.args as [Expr, Expr];
    const lefts = countsOf(left);
    // The left half of a row has as many terms as the right, or one more.
    const rows = countsOf(right).flatMap(count =>
      [count, count + 1].filter(other => lefts.includes(other)).map(other => count + other),
    );
    const found = [1, ...new Set(rows)];
    counts.set(expr, found);
    return found;
  }

  function collect(expr: Expr, count: number): void {
    if (count === 1) {
      terms.push(expr);
      return;
    }
    const [left, right] = (expr as CallExpr).args as [Expr, Expr];
    collect(left, Math.ceil(count / 2));
    collect(right, Math.floor(count / 2));
  }
}

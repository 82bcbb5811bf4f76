import type { CallExpr, Expr } from '../../ast/ast.ts';

/**
 * Returns the longest sequence of terms that parses to the tree when written without parentheses. Chains of `&&` and `||` become balanced
 * trees, so a tree of another shape needs parentheses around some of its parts, which are then terms.
 *
 * @param isChain returns true if an expression is the same operation and so may be part of the sequence
 */
export function balancedTerms(root: CallExpr, isChain: (expr: Expr) => expr is CallExpr): readonly Expr[] {
  if (!root.args.some(isChain)) return root.args;
  const counts = new Map<Expr, readonly number[]>();
  const terms: Expr[] = [];
  collect(root, Math.max(...countsOf(root)));
  return terms;

  /** Returns the numbers of terms that the expression can be a sequence of. */
  function countsOf(expr: Expr): readonly number[] {
    if (!isChain(expr)) return [1];
    const known = counts.get(expr);
    if (known !== undefined) return known;
    const [left, right] = expr.args as [Expr, Expr];
    const lefts = countsOf(left);
    // The left half has as many terms as the right one, or one more.
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

import type { Expr } from './ast.ts';

/** Returns true if the tree has more than `limit` levels, without descending further. */
export function isDeeperThan(expr: Expr, limit: number): boolean {
  if (limit === 0) return true;
  switch (expr.kind) {
    case 'literal':
    case 'ident':
    case 'error':
      return false;
    case 'select':
      return isDeeperThan(expr.operand, limit - 1);
    case 'call':
      return (
        (expr.target !== undefined && isDeeperThan(expr.target, limit - 1)) ||
        expr.args.some(arg => isDeeperThan(arg, limit - 1))
      );
    case 'list':
      return expr.elements.some(element => isDeeperThan(element, limit - 1));
    case 'map':
      return expr.entries.some(entry => isDeeperThan(entry.key, limit - 1) || isDeeperThan(entry.value, limit - 1));
    case 'struct':
      return expr.fields.some(field => isDeeperThan(field.value, limit - 1));
    case 'comprehension':
      // Only what the user wrote counts, not the levels that a macro adds.
      return isDeeperThan(expr.iterRange, limit - 1) || partsAreDeeper(expr, limit);
  }
}

function partsAreDeeper(expr: Extract<Expr, { kind: 'comprehension' }>, limit: number): boolean {
  const { accuInit, loopCondition, loopStep, result } = expr;
  return [accuInit, loopCondition, loopStep, result].some(part => isDeeperThan(part, limit - 1));
}

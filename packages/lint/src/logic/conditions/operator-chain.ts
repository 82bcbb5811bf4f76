import type { CallExpr, Expr } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';

export type LogicalOperator = '_&&_' | '_||_';

/** An operand of a chain of `&&` or `||`. */
interface Operand {
  readonly node: Expr;
}

export function isLogicalOperator(node: Expr): node is CallExpr & { readonly function: LogicalOperator } {
  return node.kind === 'call' && (node.function === '_&&_' || node.function === '_||_');
}

/** Returns all operands of a chain, in source order. */
export function operandsOfChain(chain: CallExpr): readonly Operand[] {
  const found: Operand[] = [];
  collect(chain, found);
  return found;
}

function collect(parent: CallExpr, found: Operand[]): void {
  for (const node of parent.args) {
    if (node.kind === 'call' && node.function === parent.function) collect(node, found);
    else found.push({ node });
  }
}

/** Extends a range by the parentheses around it. For operands of a chain, they belong to the operand alone. */
export function withParentheses(source: string, { start, end }: Range): Range {
  const [before, after] = [/\(\s*$/.exec(source.slice(0, start)), /^\s*\)/.exec(source.slice(end))];
  if (before === null || after === null) return { start, end };
  return withParentheses(source, { start: before.index, end: end + after[0].length });
}

/** Returns true if only an operator is between two operands, and no parenthesis of a group that contains just one of them. */
export function areNeighbours(source: string, a: Range, b: Range): boolean {
  const between = source.slice(withParentheses(source, a).end, withParentheses(source, b).start);
  return /^\s*(?:&&|\|\|)\s*$/.test(between);
}

/** Returns true if the source may contain comments, whose parentheses would mislead edits. */
export function hasComment(source: string): boolean {
  return source.includes('//');
}

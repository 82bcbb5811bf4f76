import type { CallExpr, Expr } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import type { Condition } from '../../solver/formula/condition.ts';
import type { ReadCondition } from '../../solver/reader/read-condition.ts';

export type LogicalOperator = '_&&_' | '_||_';

/** One part of a chain of `&&` or of `||`. */
export interface Operand {
  readonly node: Expr;
  /** The operator that it is an operand of, and its position among the two. */
  readonly parent: CallExpr;
  readonly index: 0 | 1;
}

export function isLogicalOperator(node: Expr): node is CallExpr & { readonly function: LogicalOperator } {
  return node.kind === 'call' && (node.function === '_&&_' || node.function === '_||_');
}

/** All that a chain of one operator joins, in the order of the source. */
export function operandsOfChain(chain: CallExpr): readonly Operand[] {
  const found: Operand[] = [];
  collect(chain, found);
  return found;
}

function collect(parent: CallExpr, found: Operand[]): void {
  for (const index of [0, 1] as const) {
    const node = parent.args[index]!;
    if (node.kind === 'call' && node.function === parent.function) collect(node, found);
    else found.push({ node, parent, index });
  }
}

/** What an operand means; undefined inside of loops. */
export function conditionOf(read: ReadCondition, { parent, index }: Operand): Condition | undefined {
  return read.operands.get(parent.id)?.[index];
}

/** The range with the parentheses around it: none of a chain's operands has any other around it alone. */
export function withParentheses(source: string, { start, end }: Range): Range {
  const [before, after] = [/\(\s*$/.exec(source.slice(0, start)), /^\s*\)/.exec(source.slice(end))];
  if (before === null || after === null) return { start, end };
  return withParentheses(source, { start: before.index, end: end + after[0].length });
}

/** Whether nothing but an operator stands between two operands, and no parenthesis of a group that only one of them is in. */
export function areNeighbours(source: string, a: Range, b: Range): boolean {
  const between = source.slice(withParentheses(source, a).end, withParentheses(source, b).start);
  return /^\s*(?:&&|\|\|)\s*$/.test(between);
}

/** Whether edits of parts could be led astray: a comment may hold parentheses. */
export function hasComment(source: string): boolean {
  return source.includes('//');
}

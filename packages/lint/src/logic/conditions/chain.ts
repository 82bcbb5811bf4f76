import type { CallExpr, Expr } from '@tollgate/cel';
import type { Condition } from '@tollgate/solver/conditions';
import type { AnalyzedExpression } from './analyzed-expression.ts';
import { isLogicalOperator, type LogicalOperator, operandsOfChain } from './operator-chain.ts';

/** A chain of `&&` or `||` with the conditions of its operands. */
export interface Chain {
  readonly node: CallExpr;
  readonly operator: LogicalOperator;
  readonly operands: readonly ChainOperand[];
}

/** An operand of a chain. */
export interface ChainOperand {
  readonly node: Expr;
  readonly condition: Condition;
}

/** Returns the longest chain at a node that is outside of loops; undefined if there is none. */
export function chainAt({ typed, ruleLogic }: AnalyzedExpression, node: Expr): Chain | undefined {
  if (!isLogicalOperator(node)) return undefined;
  const operands = operandsOfChain(node).map(one => ({ node: one.node, condition: ruleLogic.read(typed, one.node) }));
  return { node, operator: node.function, operands };
}

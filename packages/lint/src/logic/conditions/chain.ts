import type { CallExpr, Expr } from '@tollgate/cel';
import type { Condition } from '../../solver/formula/condition.ts';
import type { AnalyzedExpression } from './analyzed-expression.ts';
import { conditionOf, isLogicalOperator, type LogicalOperator, operandsOfChain } from './operator-chain.ts';

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

/** Returns the longest chain at a node; undefined if there is none, and inside of loops. */
export function chainAt(analyzed: AnalyzedExpression, node: Expr): Chain | undefined {
  if (!isLogicalOperator(node)) return undefined;
  const operands: ChainOperand[] = [];
  for (const operand of operandsOfChain(node)) {
    const condition = conditionOf(analyzed.condition, operand);
    if (condition === undefined) return undefined;
    operands.push({ node: operand.node, condition });
  }
  return { node, operator: node.function, operands };
}

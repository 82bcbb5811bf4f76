import type { CallExpr, Expr } from '@tollgate/cel';
import type { Condition } from '../../solver/search/questions.ts';
import type { KnownExpression } from './known-expression.ts';
import { conditionOf, isJunction, type Junction, operandsOfChain } from './operator-chain.ts';

/** A chain of `&&` or of `||` with what its operands mean. */
export interface Chain {
  readonly node: CallExpr;
  readonly junction: Junction;
  readonly operands: readonly ChainOperand[];
}

/** One operand of a chain. */
export interface ChainOperand {
  readonly node: Expr;
  readonly condition: Condition;
}

/** The whole chain that begins at a node of the written expression; undefined where there is none, and inside of loops. */
export function chainAt(known: KnownExpression, node: Expr): Chain | undefined {
  if (!isJunction(node)) return undefined;
  const operands: ChainOperand[] = [];
  for (const operand of operandsOfChain(node)) {
    const condition = conditionOf(known.condition, operand);
    if (condition === undefined) return undefined;
    operands.push({ node: operand.node, condition });
  }
  return { node, junction: node.function, operands };
}

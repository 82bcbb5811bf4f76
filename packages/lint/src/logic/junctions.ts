import type { CallExpr, Expr } from '@tollgate/cel';
import type { Condition } from '../decision/questions.ts';
import { writtenNodes } from '../facts/written-nodes.ts';
import type { KnownExpression } from './conditions-in.ts';
import { conditionOf, isJunction, type Junction, operandsOfChain } from './written-chain.ts';

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

/** The chains of an expression that are no part of a longer one; those inside of loops are left out. */
export function chainsOf({ typed, condition }: KnownExpression): readonly Chain[] {
  const inner = new Set<Expr>();
  return writtenNodes(typed.ast).flatMap(node => {
    if (!isJunction(node)) return [];
    for (const arg of node.args) if (arg.kind === 'call' && arg.function === node.function) inner.add(arg);
    if (inner.has(node)) return [];
    const operands = operandsOfChain(node).map(one => ({ node: one.node, condition: conditionOf(condition, one) }));
    return operands.every(isKnown) ? [{ node, junction: node.function, operands }] : [];
  });
}

function isKnown<T extends { readonly condition: Condition | undefined }>(
  one: T,
): one is T & { readonly condition: Condition } {
  return one.condition !== undefined;
}

import type { Expr, TypedAst } from '@tollgate/cel';
import type { Condition, ConditionQuestions } from '@tollgate/solver/conditions';
import { isLogicalOperator, operandsOfChain } from './operator-chain.ts';

/**
 * Returns a function that reads an expression or an operand of it. Each operand of a chain of `&&` or `||` is read once, so that its
 * condition is the one that the whole has.
 */
export function partReader(questions: ConditionQuestions): (typed: TypedAst, node?: Expr) => Condition {
  const known = new Map<Expr, Condition>();
  const read = (typed: TypedAst, node: Expr = typed.ast.root): Condition => {
    let condition = known.get(node);
    if (condition === undefined) {
      condition = readNode(typed, node);
      known.set(node, condition);
    }
    return condition;
  };
  const readNode = (typed: TypedAst, node: Expr): Condition => {
    if (!isLogicalOperator(node)) return questions.read(typed, node);
    const operands = operandsOfChain(node).map(operand => read(typed, operand.node));
    return node.function === '_&&_' ? questions.allOf(operands) : questions.anyOf(operands);
  };
  return read;
}

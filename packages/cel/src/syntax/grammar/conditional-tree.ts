import type { Expr } from '../../ast/ast.ts';
import type { Token } from '../lexing/tokens.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** An operand with its start, parentheses included. */
interface Placed {
  readonly value: Expr;
  readonly start: number;
}

/** `? then : otherwise` with its end. */
export interface Branch {
  readonly question: Token;
  readonly then: Expr;
  readonly otherwise: Placed;
  readonly end: number;
}

/** Builds `first ? a : b ? c : d`, which is right-associative. Iterative, because brackets do not bound its length. */
export function conditionalTree(tree: TreeBuilder, first: Placed, branches: readonly Branch[]): Expr {
  const last = branches.at(-1) as Branch;
  return branches.reduceRight((otherwise, { question, then }, index) => {
    const condition = branches[index - 1]?.otherwise ?? first;
    const at = { operator: question, start: condition.start, end: last.end };
    return tree.operator('_?_:_', [condition.value, then, otherwise], at);
  }, last.otherwise.value);
}

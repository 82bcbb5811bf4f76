import type { Expr } from '../../ast/ast.ts';
import type { Token } from '../lexing/tokens.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** An operand, and where it starts, parentheses included. */
export interface Placed {
  readonly value: Expr;
  readonly start: number;
}

/** `? then : otherwise`, and where it ends. */
export interface Branch {
  readonly question: Token;
  readonly then: Expr;
  readonly otherwise: Placed;
  readonly end: number;
}

/** `first ? a : b ? c : d`, which groups to the right. A loop, because its length is not bounded by brackets. */
export function conditionalTree(tree: TreeBuilder, first: Placed, branches: readonly Branch[]): Expr {
  const last = branches.at(-1) as Branch;
  return branches.reduceRight((otherwise, { question, then }, index) => {
    const condition = branches[index - 1]?.otherwise ?? first;
    const at = { operator: question, start: condition.start, end: last.end };
    return tree.operator('_?_:_', [condition.value, then, otherwise], at);
  }, last.otherwise.value);
}

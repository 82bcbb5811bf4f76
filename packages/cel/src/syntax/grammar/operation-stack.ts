import type { Expr } from '../../ast/ast.ts';
import { OPERATORS, type OperatorInfo } from '../lexing/operators.ts';
import type { Token } from '../lexing/tokens.ts';
import * as T from '../lexing/tokens.ts';
import type { TreeBuilder } from './tree-builder.ts';

const BY_TOKEN_TYPE: readonly (OperatorInfo | undefined)[] = T.TOKEN_TYPES.reduce(
  (table: (OperatorInfo | undefined)[], type) => {
    table[type.tokenTypeIdx as number] = OPERATORS.find(info => info.text === type.LABEL);
    return table;
  },
  [],
);

/**
 * Builds a tree from operands and operators by precedence. One stack serves all nested chains: a chain starts at the current size. Hot:
 * parallel arrays avoid an object per operand.
 */
export class OperationStack {
  /** The number of operands of all open chains. */
  size = 0;
  /** The size at which the current chain started. */
  base = 0;
  private tree!: TreeBuilder;
  private readonly operands: Expr[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** The operator at `i` is between operands `i - 1` and `i` of a chain. */
  private readonly operators: (Token | undefined)[] = [];
  private readonly infos: (OperatorInfo | undefined)[] = [];

  /** The range of the operand includes its parentheses. */
  pushFirst(operand: Expr, start: number, end: number): void {
    this.set(this.size++, operand, start, end);
  }

  /** Combines operators that bind tighter than the new one, then pushes it with its right operand. */
  push(operator: Token, operand: Expr, start: number, end: number): void {
    const info = BY_TOKEN_TYPE[operator.tokenTypeIdx] as OperatorInfo;
    while (this.size - 1 > this.base && isDone(this.infos[this.size - 1] as OperatorInfo, info)) this.reduce();
    const index = this.size++;
    this.operators[index] = operator;
    this.infos[index] = info;
    this.set(index, operand, start, end);
  }

  /** Ends the chain and returns its tree. */
  finish(): Expr {
    while (this.size - 1 > this.base) this.reduce();
    this.size = this.base;
    return this.operands[this.base] as Expr;
  }

  /** Starts a tree. Old entries are overwritten, or dropped if there are many, because clearing arrays means growing them again. */
  reset(tree: TreeBuilder): void {
    this.tree = tree;
    this.size = 0;
    this.base = 0;
    if (this.operands.length > KEPT_LENGTH) {
      this.operands.length = 0;
      this.operators.length = 0;
    }
  }

  private set(index: number, operand: Expr, start: number, end: number): void {
    this.operands[index] = operand;
    this.starts[index] = start;
    this.ends[index] = end;
  }

  /** Combines the topmost operands that are joined by one operator, or by a run of one balanced operator. */
  private reduce(): void {
    const info = this.infos[this.size - 1] as OperatorInfo;
    let first = this.size - 2;
    if (info.balanced) while (first > this.base && this.infos[first] === info) first--;
    const last = this.size - 1;
    this.operands[first] = this.combine(info, first, last);
    this.ends[first] = this.ends[last] as number;
    this.size = first + 1;
  }

  /** Returns the balanced tree over operands `first` to `last`, split like in the reference implementation. */
  private combine(info: OperatorInfo, first: number, last: number): Expr {
    if (first === last) return this.operands[first] as Expr;
    const split = (first + 1 + last + 1) >> 1;
    const left = this.combine(info, first, split - 1);
    const right = this.combine(info, split, last);
    return this.tree.operator(info.function, [left, right], {
      operator: this.operators[split] as Token,
      start: this.starts[first] as number,
      end: this.ends[last] as number,
    });
  }
}

const KEPT_LENGTH = 256;

function isDone(top: OperatorInfo, next: OperatorInfo): boolean {
  return top.precedence > next.precedence || (top.precedence === next.precedence && !top.balanced);
}

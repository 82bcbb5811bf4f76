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
 * Builds trees from operands and operators in the order of the text, by precedence. One stack serves all nested chains: a
 * chain begins at the size that it finds. Hot: parallel arrays, so that operands cost no objects of their own.
 */
export class OperationStack {
  /** Operands of all open chains. */
  size = 0;
  /** Size at which the chain under construction began. */
  base = 0;
  private tree!: TreeBuilder;
  private readonly operands: Expr[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** At `i` the operator between operand `i - 1` and operand `i` of a chain. */
  private readonly operators: (Token | undefined)[] = [];
  private readonly infos: (OperatorInfo | undefined)[] = [];

  /** Where the operand stands includes its parentheses. */
  pushFirst(operand: Expr, start: number, end: number): void {
    this.set(this.size++, operand, start, end);
  }

  /** Combines what binds tighter than the operator before it, then adds the operator and its right operand. */
  push(operator: Token, operand: Expr, start: number, end: number): void {
    const info = BY_TOKEN_TYPE[operator.tokenTypeIdx] as OperatorInfo;
    while (this.size - 1 > this.base && isDone(this.infos[this.size - 1] as OperatorInfo, info)) this.reduce();
    const index = this.size++;
    this.operators[index] = operator;
    this.infos[index] = info;
    this.set(index, operand, start, end);
  }

  /** Ends the chain, and gives its tree. */
  finish(): Expr {
    while (this.size - 1 > this.base) this.reduce();
    this.size = this.base;
    return this.operands[this.base] as Expr;
  }

  /** Begins a tree. What earlier ones left is overwritten, or forgotten when it is much: emptying arrays costs growing them again. */
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

  /** Combines the operands on top that one operator, or a run of one balanced operator, joins. */
  private reduce(): void {
    const info = this.infos[this.size - 1] as OperatorInfo;
    let first = this.size - 2;
    if (info.balanced) while (first > this.base && this.infos[first] === info) first--;
    const last = this.size - 1;
    this.operands[first] = this.combine(info, first, last);
    this.ends[first] = this.ends[last] as number;
    this.size = first + 1;
  }

  /** The balanced tree over operands `first` to `last`; the splits are those of the reference implementation. */
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

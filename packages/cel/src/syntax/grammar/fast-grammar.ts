import type { Expr } from '../../ast/ast.ts';
import type { Token } from '../lexing/tokens.ts';
import { Grammar } from './grammar.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** The grammar for valid expressions. It has no error recovery, which takes time, and stops at the first error. */
export class FastGrammar extends Grammar {
  constructor() {
    super({ recovery: false });
  }

  /** Returns the tree of an expression, or undefined if it has a syntax error. */
  read(tokens: Token[], tree: TreeBuilder): Expr | undefined {
    let isValid = true;
    const root = this.parse(tokens, tree, () => {
      isValid = false;
    });
    return isValid ? root : undefined;
  }
}

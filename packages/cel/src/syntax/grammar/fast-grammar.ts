import type { Expr } from '../../ast/ast.ts';
import type { Token } from '../lexing/tokens.ts';
import { Grammar } from './grammar.ts';
import { writtenLookahead } from './lookahead.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** The grammar for texts without errors: knows what it looks ahead by without an analysis of itself, and stops at the first error. */
export class FastGrammar extends Grammar {
  constructor() {
    super({ recovery: false });
  }

  /** The expression that the tokens are; undefined where they are none. */
  read(tokens: Token[], tree: TreeBuilder): Expr | undefined {
    let isRight = true;
    try {
      const root = this.parse(tokens, tree, () => {
        isRight = false;
      });
      return isRight ? root : undefined;
    } catch (signal) {
      if (signal === STOP) return undefined;
      throw signal;
    }
  }

  protected override performSelfAnalysis(): void {
    Object.assign(this, { selfAnalysisDone: true, lookAheadFuncsCache: writtenLookahead() });
  }

  /** Called by chevrotain, whose own would look up in its analysis what was expected. */
  raiseNoAltException(): never {
    throw STOP;
  }

  /** As above. */
  raiseEarlyExitException(): never {
    throw STOP;
  }
}

const STOP = new Error('the text has an error');

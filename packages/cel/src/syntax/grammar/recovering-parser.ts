import { EmbeddedActionsParser, EOF, type IToken, type TokenType } from 'chevrotain';
import * as T from '../lexing/tokens.ts';

/** What chevrotain's recovery asks of itself; its types leave it out. */
interface Recovery {
  canRecoverWithSingleTokenInsertion(expected: TokenType, follows: readonly TokenType[]): boolean;
  isInCurrentRuleReSyncSet(type: TokenType): boolean;
}

const RECOVERY = EmbeddedActionsParser.prototype as unknown as Recovery;

/**
 * A parser that keeps what it has read when the text ends too early. By itself chevrotain takes a bracket for granted, or gives up a
 * rule, only where the token at hand may follow there; the end may follow nowhere but at the outermost rule, and all would be dropped.
 */
export class RecoveringParser extends EmbeddedActionsParser implements Recovery {
  /** Brackets were taken for granted at the end of the text. */
  protected endsOpen = false;

  /** A bracket or separator may be taken for granted where it is missing; a name or a literal may not. */
  protected override canTokenTypeBeInsertedInRecovery(type: TokenType): boolean {
    return INSERTABLE.includes(type);
  }

  protected override getTokenToInsert(type: TokenType): IToken {
    if (this.LA(1).tokenType === EOF) this.endsOpen = true;
    return super.getTokenToInsert(type);
  }

  canRecoverWithSingleTokenInsertion(expected: TokenType, follows: readonly TokenType[]): boolean {
    if (this.LA(1).tokenType === EOF) return INSERTABLE.includes(expected);
    return RECOVERY.canRecoverWithSingleTokenInsertion.call(this, expected, follows);
  }

  isInCurrentRuleReSyncSet(type: TokenType): boolean {
    return type === EOF || RECOVERY.isInCurrentRuleReSyncSet.call(this, type);
  }
}

const INSERTABLE: readonly TokenType[] = [T.RightParen, T.RightBracket, T.RightBrace, T.Colon, T.Comma];

import {
  type DSLMethodOpts,
  EmbeddedActionsParser,
  EOF,
  type IParserConfig,
  type IToken,
  type TokenType,
} from 'chevrotain';
import * as T from '../lexing/tokens.ts';

/**
 * A parser that keeps what it has read when the expression ends too early. Chevrotain inserts a missing bracket, or gives up a rule, only
 * where the grammar allows the next token to follow, so the recovering grammar allows the end of input everywhere.
 */
export class RecoveringParser extends EmbeddedActionsParser {
  /** Missing brackets were inserted at the end of the expression. */
  protected endsOpen = false;
  protected readonly recovering: boolean;
  /** Productions for the end of input, by index. */
  private readonly ends: DSLMethodOpts<IToken>[] = [];

  constructor(config: IParserConfig) {
    super([...T.TOKEN_TYPES], config);
    this.recovering = config.recoveryEnabled === true;
  }

  /** Allows the end of input at this point of the grammar, for recovery only: it never matches. The index is unique within a rule. */
  protected mayEnd(index: number): void {
    if (!this.recovering) return;
    const occurrence = FIRST_END + index;
    this.ends[index] ??= { GATE: () => false, DEF: () => this.consume(occurrence, EOF) };
    this.option(occurrence, this.ends[index]);
  }

  /** Missing brackets and separators are inserted; names and literals are not. */
  protected override canTokenTypeBeInsertedInRecovery(type: TokenType): boolean {
    return INSERTABLE.includes(type);
  }

  protected override getTokenToInsert(type: TokenType): IToken {
    if (this.LA(1).tokenType === EOF) this.endsOpen = true;
    return super.getTokenToInsert(type);
  }
}

/** Above the indices that the rules use. */
const FIRST_END = 10;

const INSERTABLE: readonly TokenType[] = [T.RightParen, T.RightBracket, T.RightBrace, T.Colon, T.Comma];
